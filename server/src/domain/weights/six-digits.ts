/** Six significant digits, so that a share has one spelling in the file of a table. */
export const sixDigits = (value: number): number => Number(value.toPrecision(6));

/** Three places, for counts that are fractions. */
export const threePlaces = (value: number): number => Math.round(value * 1_000) / 1_000;
