/** Exit code of a process that ended because of an exception whose message says that a resource is in use. */
export const EXIT_IN_USE = 75;

/** Matches messages about ports, locks of databases, and services that accept one connection. */
const IN_USE =
  /EADDRINUSE|ELOCKED|EBUSY|\b(?:in use|is locked|locked by|lock file|busy|already (?:running|open|listening|connected)|another (?:process|instance))\b/i;

/** Returns whether an error message says that another process holds a needed resource. */
export const saysInUse = (message: string): boolean => IN_USE.test(message);
