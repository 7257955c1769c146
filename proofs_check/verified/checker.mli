
type __ = Obj.t

val negb : bool -> bool

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

type comparison =
| Eq
| Lt
| Gt

val pred : int -> int

val add : int -> int -> int

val mul : int -> int -> int

val sub : int -> int -> int

type reflect =
| ReflectT
| ReflectF

module Nat :
 sig
  val succ : int -> int

  val pred : int -> int

  val ltb : int -> int -> bool

  val even : int -> bool

  val odd : int -> bool

  val div2 : int -> int
 end

module Pos :
 sig
  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_N : Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int

  val compare_cont :
    comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val coq_Nsucc_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val coq_Ndouble : Big_int_Z.big_int -> Big_int_Z.big_int

  val coq_lor : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val coq_land : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val ldiff : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val of_succ_nat : int -> Big_int_Z.big_int
 end

module N :
 sig
  val succ_pos : Big_int_Z.big_int -> Big_int_Z.big_int

  val coq_lor : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val ldiff : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
 end

module Z :
 sig
  val double : Big_int_Z.big_int -> Big_int_Z.big_int

  val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val opp : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred : Big_int_Z.big_int -> Big_int_Z.big_int

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pow_pos : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pow : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val min : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val abs : Big_int_Z.big_int -> Big_int_Z.big_int

  val of_nat : int -> Big_int_Z.big_int

  val of_N : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val modulo : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val shiftl : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val shiftr : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val coq_land : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val ones : Big_int_Z.big_int -> Big_int_Z.big_int
 end

type ('aT, 'rT) simpl_fun =
  'aT -> 'rT
  (* singleton inductive, whose constructor was SimplFun *)

val fun_of_simpl : ('a1, 'a2) simpl_fun -> 'a1 -> 'a2

val iffP : bool -> reflect -> reflect

val idP : bool -> reflect

type 't pred0 = 't -> bool

type 't simpl_pred = ('t, bool) simpl_fun

val simplPred : 'a1 pred0 -> 'a1 simpl_pred

module PredOfSimpl :
 sig
  val coerce : 'a1 simpl_pred -> 'a1 pred0
 end

type 't rel = 't -> 't pred0

type 't simpl_rel = 't -> 't simpl_pred

val rel_of_simpl : 'a1 simpl_rel -> 'a1 rel

val simplRel : 'a1 rel -> 'a1 simpl_rel

module Equality :
 sig
  type 't axiom = 't -> 't -> reflect

  type 't mixin_of = { op : 't rel; mixin_of__1 : 't axiom }

  val op : 'a1 mixin_of -> 'a1 rel

  type coq_type =
    __ mixin_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  val coq_class : coq_type -> sort mixin_of
 end

val eq_op : Equality.coq_type -> Equality.sort rel

val eqn : int -> int -> bool

val eqnP : int Equality.axiom

val nat_eqMixin : int Equality.mixin_of

val nat_eqType : Equality.coq_type

val addn_rec : int -> int -> int

val addn : int -> int -> int

val subn_rec : int -> int -> int

val subn : int -> int -> int

val leq : int -> int -> bool

val ltn : int simpl_rel

val iter0 : int -> ('a1 -> 'a1) -> 'a1 -> 'a1

val muln_rec : int -> int -> int

val muln : int -> int -> int

val nat_of_bool : bool -> int

val size : 'a1 list -> int

val head : 'a1 -> 'a1 list -> 'a1

val ncons : int -> 'a1 -> 'a1 list -> 'a1 list

val nseq : int -> 'a1 -> 'a1 list

val cat : 'a1 list -> 'a1 list -> 'a1 list

val rcons : 'a1 list -> 'a1 -> 'a1 list

val last : 'a1 -> 'a1 list -> 'a1

val nth : 'a1 -> 'a1 list -> int -> 'a1

val filter : 'a1 pred0 -> 'a1 list -> 'a1 list

val has : 'a1 pred0 -> 'a1 list -> bool

val all : 'a1 pred0 -> 'a1 list -> bool

val drop : int -> 'a1 list -> 'a1 list

val take : int -> 'a1 list -> 'a1 list

val catrev : 'a1 list -> 'a1 list -> 'a1 list

val rev : 'a1 list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val iota : int -> int -> int list

val foldr : ('a1 -> 'a2 -> 'a2) -> 'a2 -> 'a1 list -> 'a2

val sumn : int list -> int

val foldl : ('a2 -> 'a1 -> 'a2) -> 'a2 -> 'a1 list -> 'a2

val zip : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val flatten : 'a1 list list -> 'a1 list

val path : 'a1 rel -> 'a1 -> 'a1 list -> bool

val sorted : 'a1 rel -> 'a1 list -> bool

val zdot :
  Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int

type dyadic = { mantissa : Big_int_Z.big_int; exponent : Big_int_Z.big_int }

val align : Big_int_Z.big_int -> dyadic -> Big_int_Z.big_int

val aligned : Big_int_Z.big_int -> dyadic -> bool

val pair_list : int -> (int * int) list

val slot_list : int -> ((int * int) * int) list

type dyadic_example = { columns_of : dyadic list list; query_of : int;
                        label_of : dyadic list }

type integer_example = { zcolumns : Big_int_Z.big_int list list;
                         zquery : int; zlabel : Big_int_Z.big_int list }

val integers : Big_int_Z.big_int -> dyadic_example -> integer_example

val well_formed : int -> int -> Big_int_Z.big_int -> dyadic_example -> bool

val coordinate : integer_example -> int -> Big_int_Z.big_int list

val zfeatures : int -> integer_example -> Big_int_Z.big_int list

type kernel =
| Decay of Big_int_Z.big_int * Big_int_Z.big_int
| Window of int
| Lag of int
| Beyond of int
| Table of (Big_int_Z.big_int * Big_int_Z.big_int) list

type weighting =
| ByKernels of kernel list
| ByGates of int

type term =
| One
| Sum of int * int list

type layer = { weights : weighting; blocks : (term list * int list list) list }

val entries : layer -> (term * int list) list

type layer_example = { tokens_of : dyadic list list;
                       gates_of : dyadic list list; asks : dyadic list;
                       answers : dyadic list }

val without_one : bool -> int list -> int list

val asking : bool -> int -> int list list

val attention_blocks :
  bool -> int -> int -> int -> (term list * int list list) list

val mapped_blocks : int -> int -> int -> (term list * int list list) list

val gated_blocks : int -> (term list * int list list) list

val gated_mapped_blocks : int -> int -> (term list * int list list) list

val moment_blocks : int -> int -> (term list * int list list) list

val monomials : int -> int -> int -> int list list

val degree_blocks : int -> int -> int -> (term list * int list list) list

val num_weights : weighting -> int

val zero : dyadic

val decay_ratios :
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list

val indicator : bool -> Big_int_Z.big_int * Big_int_Z.big_int

val kernel_ratios :
  kernel -> int -> (Big_int_Z.big_int * Big_int_Z.big_int) list

val ratio_of : dyadic -> Big_int_Z.big_int * Big_int_Z.big_int

val behind :
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) * (Big_int_Z.big_int * Big_int_Z.big_int)
  list

val ratios :
  weighting -> layer_example -> (Big_int_Z.big_int * Big_int_Z.big_int) list
  list

val whole :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int

val divides :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

val degree : (term * int list) -> int

val zproduct : Big_int_Z.big_int list -> int list -> Big_int_Z.big_int

val zsum :
  Big_int_Z.big_int list -> Big_int_Z.big_int list list -> int list ->
  Big_int_Z.big_int

val zstate :
  Big_int_Z.big_int -> Big_int_Z.big_int list list -> Big_int_Z.big_int list
  list -> term -> Big_int_Z.big_int

val raised :
  Big_int_Z.big_int -> int -> (term * int list) -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val layer_row :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer -> layer_example ->
  Big_int_Z.big_int list

val layer_labels :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer_example ->
  Big_int_Z.big_int list

val well_formed_layer :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer -> bool

val well_formed_in :
  int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer ->
  layer_example -> bool

val power :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val inverse : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val low : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val pack : Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int

val unpack :
  Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
  Big_int_Z.big_int list

val pick :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list ->
  Big_int_Z.big_int list -> (Big_int_Z.big_int * Big_int_Z.big_int list)
  option

val clear :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val eliminate :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int -> int ->
  Big_int_Z.big_int list -> bool

val full_rank_mod :
  Big_int_Z.big_int -> int -> Big_int_Z.big_int list list -> bool

val add_multiple :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int list ->
  Big_int_Z.big_int list

type claim =
| FullRank
| Deficient
| Rank of int
| LambdaMin of dyadic * dyadic
| Determined of int list
| Undetermined of int list
| LabelsConsistent
| LabelsInconsistent
| Inexpressible of Big_int_Z.big_int * Big_int_Z.big_int

type minor = { prime : Big_int_Z.big_int; rows_of : int list;
               columns_of_minor : int list }

type bound =
| FewExamples
| NullVectors of Big_int_Z.big_int list list

type group = { members : int list; rank_of_group : int;
               minor_of_group : minor; bound_of_group : bound }

type evidence =
| ByMinor of minor
| ByBound of bound
| ByMinorAndBound of minor * bound
| ByFactor of Big_int_Z.big_int list list * Big_int_Z.big_int
   * Big_int_Z.big_int list
| ByBasis of int * minor * Big_int_Z.big_int list list
| ByRelations of (Big_int_Z.big_int * Big_int_Z.big_int list) list
| ByNull of Big_int_Z.big_int list
| ByExtension of int * bound * minor list
| ByFit of Big_int_Z.big_int list list
| ByLabelRelation of Big_int_Z.big_int list
| ByLabelExtension of int * bound * int * minor
| ByResiduals of Big_int_Z.big_int list list
| ByGroups of group list * minor

val pluck : int -> 'a1 list -> int list -> 'a1 list

val plucks : int -> int list -> bool

val check_minor : Big_int_Z.big_int list list -> int -> int -> minor -> bool

val orthogonal : Big_int_Z.big_int list list -> Big_int_Z.big_int list -> bool

val nonzero : Big_int_Z.big_int list -> bool

val last_place : Big_int_Z.big_int list -> int

val check_nulls :
  Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list list -> bool

val check_bound : Big_int_Z.big_int list list -> int -> int -> bound -> bool

val combine :
  int -> Big_int_Z.big_int list -> Big_int_Z.big_int list list ->
  Big_int_Z.big_int list

val check_relation :
  Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool

val gram : int -> Big_int_Z.big_int list list -> Big_int_Z.big_int list list

val residual :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int list list -> Big_int_Z.big_int list list ->
  Big_int_Z.big_int list list

val sum_abs : Big_int_Z.big_int list -> Big_int_Z.big_int

val check_dominant : Big_int_Z.big_int list list -> bool

val check_lower :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
  int -> dyadic -> Big_int_Z.big_int list list -> Big_int_Z.big_int -> bool

val check_upper :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
  int -> dyadic -> Big_int_Z.big_int list -> bool

val add_share :
  Big_int_Z.big_int list list -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int list -> int -> Big_int_Z.big_int * Big_int_Z.big_int

val shares :
  Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list list ->
  Big_int_Z.big_int * Big_int_Z.big_int

val check_cancels :
  Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list -> bool

val check_residuals :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
  Big_int_Z.big_int list list -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int list list -> bool

val check_claim :
  int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
  list list -> Big_int_Z.big_int list list -> Big_int_Z.big_int list list ->
  claim -> evidence -> bool

val packed_state : int -> integer_example -> Big_int_Z.big_int list

val zasked : integer_example -> Big_int_Z.big_int list

val same_row : Big_int_Z.big_int list -> Big_int_Z.big_int list -> bool

val group_query : integer_example list -> group -> Big_int_Z.big_int list

val check_group : int -> integer_example list -> group -> bool

val strike : int list -> int list -> int list

val check_groups :
  int -> integer_example list -> int -> group list -> minor -> bool

val check :
  int -> int -> Big_int_Z.big_int -> dyadic_example list -> dyadic_example
  list -> claim -> evidence -> bool

val check_layer :
  layer -> int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  layer_example list -> layer_example list -> claim -> evidence -> bool

type 't ops = { zero0 : 't; one : 't; plus : ('t -> 't -> 't);
                times : ('t -> 't -> 't); minus : ('t -> 't) }

type decay =
| NoDecay
| FixedDecay
| LearnedDecay

type attention_plan = { num_groups : int; share : int; num_keys : int;
                        num_values : int; adds_input : bool;
                        is_causal : bool; is_rotary : bool; decay_of : 
                        decay; with_q : bool; with_k : bool; with_v : 
                        bool; with_o : bool }

type mlp_plan = { width : int; is_cube : bool; adds_its_input : bool;
                  with_m : bool }

type sublayer =
| Attention of attention_plan
| Mlp of mlp_plan

val decays : attention_plan -> bool

val learns_decays : attention_plan -> bool

val residual_of : sublayer -> bool

val output_bias : sublayer -> bool

type kind =
| InK
| InV
| BiasK
| BiasV
| InQ
| OutO
| BiasQ
| Gamma
| BiasO
| InW
| BiasW
| OutW

type name = { kind_of : kind; site : int; group_of_name : int;
              head_of_name : int; row_of : int; column_of : int }

val kind_code : kind -> int

val block : kind -> int -> int -> int -> int -> int -> name list

val given : bool -> 'a1 list -> 'a1 list

val names_of_head : int -> int -> attention_plan -> int -> int -> name list

val names_of_group : int -> int -> attention_plan -> int -> name list

val names_of : int -> int -> sublayer -> name list

val names : int -> int -> sublayer list -> name list

type 't point = { theta : (name -> 't); fixed_decay : (int -> int -> 't);
                  cosine : (int -> int -> 't); sine : (int -> int -> 't) }

val sum : 'a1 ops -> int -> (int -> 'a1) -> 'a1

val power0 : 'a1 ops -> 'a1 -> int -> 'a1

val on : 'a1 ops -> bool -> 'a1 -> 'a1

val tab : int -> int -> (int -> int -> 'a1) -> 'a1 list list

val get : 'a1 ops -> 'a1 list list -> int -> int -> 'a1

val affine :
  'a1 ops -> int -> int -> (int -> int -> 'a1) -> (int -> 'a1) -> 'a1 list
  list -> 'a1 list list

val rotation : 'a1 ops -> 'a1 point -> int -> int -> int -> 'a1 * 'a1

val rotate :
  'a1 ops -> 'a1 point -> int -> int -> 'a1 list list -> 'a1 list list

val turned :
  'a1 ops -> 'a1 point -> int -> attention_plan -> 'a1 list list -> 'a1 list
  list

val keys :
  'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
  int -> 'a1 list list

val queries :
  'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
  int -> int -> 'a1 list list

val vectors :
  'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
  int -> 'a1 list list

val decay_at : 'a1 point -> int -> attention_plan -> int -> int -> 'a1

val weight :
  'a1 ops -> 'a1 point -> int -> attention_plan -> 'a1 list list -> 'a1 list
  list -> int -> int -> int -> int -> 'a1

val mixed :
  'a1 ops -> 'a1 point -> int -> attention_plan -> 'a1 list list -> 'a1 list
  list -> 'a1 list list -> int -> int -> 'a1 list list

val head_outputs :
  'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
  'a1 list list -> 'a1 list list -> int -> int -> 'a1 list list

val attention :
  'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
  'a1 list list

val activation : 'a1 ops -> bool -> 'a1 -> 'a1

val mlp :
  'a1 ops -> int -> 'a1 point -> int -> mlp_plan -> 'a1 list list -> 'a1 list
  list

val step :
  'a1 ops -> int -> 'a1 point -> int -> sublayer -> 'a1 list list -> 'a1 list
  list

val run :
  'a1 ops -> int -> 'a1 point -> int -> sublayer list -> 'a1 list list -> 'a1
  list list

val readout : bool -> 'a1 list list -> 'a1 list

val outputs :
  'a1 ops -> int -> 'a1 point -> bool -> sublayer list -> 'a1 list list list
  -> 'a1 list

type field =
| Keys of int * int * int * int
| Turns of int * int * int * bool
| Values of int * int * int * int
| Mix of int * int * int * int
| MixHeads of int * int * int
| Neuron of int * int * bool
| Basis of int * int * int
| Shift of int * int * bool

val mixes_heads : int -> attention_plan -> bool

val fields_within :
  int -> (int -> int -> int -> bool) -> int -> sublayer -> field list

val takes_shift : sublayer -> bool

val fields_between : int -> int -> sublayer -> sublayer -> field list

val fields :
  int -> (int -> int -> int -> bool) -> int -> sublayer list -> field list

val product :
  'a1 ops -> int -> (int -> int -> 'a1) -> (int -> int -> 'a1) -> int -> int
  -> 'a1

val entry : (name -> 'a1) -> kind -> int -> int -> int -> int -> 'a1

val velocity :
  'a1 ops -> int -> (name -> 'a1) -> (int -> int -> int -> int -> int -> 'a1)
  -> (int -> int -> int -> int -> int -> 'a1) -> field -> name -> 'a1

val plus_mod :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val times_mod :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val minus_mod : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val residue_ops : Big_int_Z.big_int -> Big_int_Z.big_int ops

val slope_ops :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ops

val turn_denominator : Big_int_Z.big_int -> Big_int_Z.big_int

val turn_of :
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int * Big_int_Z.big_int

val turns : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

val inverse_fits :
  Big_int_Z.big_int -> int -> (int -> int -> Big_int_Z.big_int) -> (int ->
  int -> Big_int_Z.big_int) -> bool

type stack_evidence = { modulus : Big_int_Z.big_int;
                        parameters_of : (Big_int_Z.big_int * int) list list
                                        list list list list;
                        decays_of : Big_int_Z.big_int list list;
                        angles_of : Big_int_Z.big_int list list;
                        examples_of : Big_int_Z.big_int list list list;
                        inverses_k : Big_int_Z.big_int list list list list;
                        inverses_v : Big_int_Z.big_int list list list list;
                        output_places : int list;
                        parameter_places : int list; field_places : int list;
                        field_columns : int list }

val fetch : stack_evidence -> name -> Big_int_Z.big_int * int

val parameter : stack_evidence -> name -> Big_int_Z.big_int

val numbered : stack_evidence -> int -> name list -> bool

val shaped : int -> int -> stack_evidence -> bool

val slopes :
  int -> bool -> sublayer list -> stack_evidence ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list list -> int ->
  Big_int_Z.big_int list

val check_derivative :
  int -> int -> bool -> sublayer list -> stack_evidence -> int -> bool

val matrix_at :
  Big_int_Z.big_int list list list list -> int -> int -> int -> int ->
  Big_int_Z.big_int

val invertible :
  int -> stack_evidence -> kind -> Big_int_Z.big_int list list list list ->
  bool list list

val flag : bool list list -> int -> int -> bool

val inverse_entry :
  int -> Big_int_Z.big_int list list list list -> bool list list -> int ->
  int -> int -> int -> Big_int_Z.big_int

val check_fields : int -> sublayer list -> stack_evidence -> bool

val check_stack :
  int -> int -> bool -> sublayer list -> stack_evidence -> int -> bool
