/** The text of a form's field; a file has none. */
export const fieldOf = (fields: FormData, name: string): string => typedIn(fields, name).trim();

/** As it was typed: spaces around a password belong to it. */
export const typedIn = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};
