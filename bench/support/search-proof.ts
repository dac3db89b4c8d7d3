import { PLANTED_BRANDS, plantedFor } from './planted-lookalikes.ts';

type Answer = {
  readonly results: readonly { readonly value: string; readonly technique: string }[];
  readonly total_hits: number;
  readonly truncated: boolean;
};

export type Proof = {
  /** Planted but not found, or found by another technique: `brand technique name`. */
  readonly missing: readonly string[];
  readonly own: readonly string[];
  readonly hits: number;
  readonly truncated: number;
  readonly coldMs: readonly number[];
  readonly warmMs: readonly number[];
};

export async function proveSearch(
  url: string,
  credential: string,
  rounds: number,
  beside: (brand: string) => Promise<void> = async () => undefined,
): Promise<Proof> {
  const proof = {
    missing: [] as string[],
    own: [] as string[],
    hits: 0,
    truncated: 0,
    coldMs: [] as number[],
    warmMs: [] as number[],
  };
  const ask = async (brand: string, times: number[]): Promise<Answer> => {
    const begunMs = performance.now();
    const response = await fetch(`${url}/search?keywords=${brand}`, {
      method: 'POST',
      headers: { 'X-API-KEY': credential },
    });
    const text = await response.text();
    times.push(performance.now() - begunMs);
    if (response.status !== 200) throw new Error(`${brand}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
  for (const brand of PLANTED_BRANDS) {
    const { results, total_hits, truncated } = await ask(brand, proof.coldMs);
    const found = new Map(results.map(({ value, technique }) => [value, technique]));
    for (const { technique, name } of plantedFor(brand))
      if (found.get(name) !== technique) proof.missing.push(`${brand} ${technique} ${name}`);
    for (const [value, technique] of found)
      if (technique !== 'exact' && `.${value}`.endsWith(`.${brand}`)) proof.own.push(`${brand} ${value}`);
    proof.hits += total_hits;
    if (truncated) proof.truncated += 1;
  }
  for (let round = 0; round < rounds; round += 1)
    for (const brand of PLANTED_BRANDS) {
      await ask(brand, proof.warmMs);
      await beside(brand);
    }
  return proof;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
