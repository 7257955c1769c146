# A small image of Attest: Debian and the archive that scripts/archive makes. Nothing is compiled.
#
#   scripts/archive
#   docker build --tag attest --file Dockerfile build/archive
#   docker run --rm --volume "$PWD:/work" attest certify data.npz
FROM debian:12-slim
ADD attest-*-linux-*.tar.gz /opt/
RUN mv /opt/attest-* /opt/attest && ln -s /opt/attest/bin/* /usr/local/bin/ && attest demo
WORKDIR /work
ENTRYPOINT ["attest"]
CMD ["--help"]
