/** A part of a sentence; with `to` it leads to the page that shows what it says. */
export type LinkedWord = { readonly text: string; readonly to?: string; readonly title?: string };

export const textOf = (words: readonly LinkedWord[]): string => words.map(({ text }) => text).join('');
