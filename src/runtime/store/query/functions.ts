/**
 * The functions of queries. A database has hundreds, and some of them sleep, hold locks, write, read files or read the tables of
 * others. None of these does. Both databases reject the names that they do not have.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const AGGREGATES =
  words(`count sum avg min max total group_concat string_agg array_agg bool_and bool_or every stddev stddev_pop
  stddev_samp variance var_pop var_samp median percentile percentile_cont percentile_disc mode corr grouping
  json_group_array json_group_object json_agg jsonb_agg json_object_agg jsonb_object_agg`)

const WINDOWS = words(
  'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value',
)

const VALUES =
  words(`abs ceil ceiling floor round trunc sign mod power pow sqrt exp ln log log10 log2 greatest least width_bucket
  coalesce nullif ifnull iif typeof length char_length octet_length lower upper substr substring left right trim ltrim rtrim btrim
  replace instr strpos position concat concat_ws split_part starts_with reverse regexp_replace regexp_match regexp_like md5`)

const TIMES =
  words(`date time datetime julianday unixepoch strftime timediff to_timestamp to_char date_trunc date_part date_bin extract
  age make_interval now`)

const JSON_PARTS =
  words(`json json_extract json_type json_valid json_array_length json_each json_tree json_object json_array json_quote
  json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text json_each_text jsonb_each jsonb_each_text
  json_object_keys jsonb_object_keys json_typeof jsonb_typeof json_extract_path json_extract_path_text jsonb_array_length
  to_json to_jsonb row_to_json json_build_object json_build_array jsonb_build_object jsonb_build_array
  jsonb_path_exists jsonb_path_query jsonb_path_query_first unnest string_to_array array_to_string array_length cardinality`)

/** Types with parameters, such as `numeric(10, 2)`. */
const TYPES = words(
  'numeric decimal varchar char character float interval timestamp timestamptz bit',
)

/** Words of the language that an opening parenthesis may follow. */
const KEYWORDS =
  words(`select from where and or not in exists any some all as on using when then else case by having limit offset union
  intersect except distinct between like ilike glob is values over filter group within with recursive materialized join lateral
  rollup cube sets row rows range partition order cast to escape window`)

export const FUNCTIONS: readonly string[] = [
  ...AGGREGATES,
  ...WINDOWS,
  ...VALUES,
  ...TIMES,
  ...JSON_PARTS,
]

/** What may stand in front of an opening parenthesis. */
export const CALLABLE: ReadonlySet<string> = new Set([...FUNCTIONS, ...TYPES, ...KEYWORDS])
