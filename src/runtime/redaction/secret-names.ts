/** Which variables of the environment hold secrets, by their names. A secret that is missed is stored in clear, so in doubt a variable holds one. */

/** Words that end in one of these, or contain one of the longer ones: `APIKEY`, `AUTHTOKEN`, `PGPASSWORD`. */
const SECRET_WORD =
  /KEYS?\d*$|(?:API|ACCESS|SECRET)KEY|TOKEN(?!IZ)|SECRET(?!AR)|PASSW|PASSPHRASE|CREDENTIAL/
/** Only these at the end of a name: `_AUTH`, but not `AUTH_MODE`. */
const SECRET_END = /^(?:PASS|PWD|AUTH|PAT)$/
/** Words that only end like a key. */
const ORDINARY = /^(?:MONKEY|TURKEY|DONKEY|HOCKEY|JOCKEY|WHISKEY|HOTKEY)S?$/

const listOf = (words: string) => new Set(words.split(' '))
/** What a name describes instead of the secret itself, at its end: `PRIMARY_KEY_COLUMN`, `TOKEN_LIMIT`, `PASSWORD_MIN_LENGTH`. */
const PROPERTIES = listOf(
  [
    'COLUMN COLUMNS NAME NAMES ID IDS ALIAS ARN LABEL HEADER FIELD FIELDS ATTRIBUTE PREFIX SUFFIX PATTERN REGEX',
    'PATH PATHS FILE FILES FILENAME DIR DIRECTORY FOLDER STORE VAULT REALM URL URLS URI URIS ENDPOINT HOST PORT REGION',
    'TYPE TYPES KIND FORMAT ENCODING ALGORITHM ALG ALGO MODE STRATEGY PROVIDER BACKEND MANAGER POLICY VERSION',
    'SIZE LENGTH LEN COUNT BITS MIN MAX LIMIT LIMITS TTL AGE LIFETIME EXPIRY EXPIRES EXPIRATION TIMEOUT ROTATION',
    'DAYS HOURS MINUTES SECONDS MS ISSUER AUDIENCE SCOPE SCOPES REQUIRED ENABLED RESET',
  ].join(' '),
)
/** The end of a name that has a copy for each environment. */
const VARIANT = /^(?:\d+|PROD|PRODUCTION|LIVE|TEST|DEV|STAGING|OLD|NEW)$/

/** Words of a key that finds something. `PRIMARY` is also the first of two keys of Azure, so the value decides. */
const FINDING_KEY = /(?:PRIMARY|FOREIGN|UNIQUE|SORT|PARTITION|ROUTING|CACHE|OBJECT)_?KEYS?$/
/** A name of a column, or of several. */
const NAME_LIKE = /^[a-z]{1,40}(?:[_.:,-][a-z0-9]{1,12})*$/i

/** Whether a variable of this name and value holds a secret. */
export function isSecret(name: string, value: string): boolean {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase()
  const words = spaced.split(/[^A-Z\d]+/).filter(Boolean)
  if (words.length > 1 && SECRET_END.test(words.at(-1) as string)) return true
  const at = words.findLastIndex(word => SECRET_WORD.test(word) && !ORDINARY.test(word))
  if (at < 0 || isProperty(words.slice(at))) return false
  return !(FINDING_KEY.test(spaced) && NAME_LIKE.test(value))
}

/** Whether the words after a secret describe it. `SECRET_ID` of Vault is itself a secret. */
function isProperty([secret = '', ...after]: readonly string[]): boolean {
  const rest = after.filter(word => !VARIANT.test(word))
  if (secret === 'SECRET' && rest.join() === 'ID') return false
  return rest.length > 0 && rest.every(word => PROPERTIES.has(word))
}
