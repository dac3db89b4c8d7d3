/** A part of a sentence. With `to` it is a link to the page that shows the details. */
export type LinkedWord = { readonly text: string; readonly to?: string; readonly title?: string };

export const textOf = (words: readonly LinkedWord[]): string => words.map(({ text }) => text).join('');
