/** The end of the name of a secret. */
const ENDING =
  '(?:token|secrets?|passw(?:or)?d|passphrase|authorization|credentials?|cookie|(?:stream|api|access|secret|signing|private)[-_]?key)';
const SECRET_NAME = new RegExp(`${ENDING}$`, 'i');

/** Finds the name of a secret among the keys of JSON. */
export const SECRET_KEY = new RegExp(`${ENDING}":`, 'i');

/** Returns whether a name is that of a secret: `accessToken`, `X-Api-Key`, `DB_PASSWORD`. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
