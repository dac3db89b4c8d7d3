import { z } from 'zod';

/** A limit above the maximum is read as the maximum; below 1 or not a whole number is refused (decisions 1.6). */
export const atMost = (max: number, standard: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .default(standard)
    .transform((value) => Math.min(value, max));

/** PostgreSQL text cannot hold U+0000, and names, labels and notes of one line are shown in lists. */
export const isOneLine = (text: string): boolean => !/\p{Cc}/u.test(text) && text.isWellFormed();

export const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(isOneLine, 'It must not hold control characters or halves of characters.');
