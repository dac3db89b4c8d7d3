/** The text of a form's field without surrounding spaces; empty for a file. */
export const fieldOf = (fields: FormData, name: string): string => typedIn(fields, name).trim();

/** The text of a field exactly as typed, because spaces around a password belong to it. */
export const typedIn = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};
