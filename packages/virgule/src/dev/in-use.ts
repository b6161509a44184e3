/** With this exit code a process says that an exception ended it which says that something is in use. */
export const EXIT_IN_USE = 75;

/** Ports, locks of databases, and services that accept one connection. */
const IN_USE =
  /EADDRINUSE|ELOCKED|EBUSY|\b(?:in use|is locked|locked by|lock file|busy|already (?:running|open|listening|connected)|another (?:process|instance))\b/i;

/** Returns whether the message of an error says that another process has what it needs. */
export const saysInUse = (message: string): boolean => IN_USE.test(message);
