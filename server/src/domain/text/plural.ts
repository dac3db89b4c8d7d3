/** A count with its noun in the right number: "1 request", "2,000 checks", "3 tries". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
