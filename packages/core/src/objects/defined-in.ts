/** Returns the members of an object that are not `undefined`. */
export const definedIn = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
