import { HANDED_OVER, readKept } from '../../service/browser-storage.ts';
import type { CheckTarget } from './check-state.ts';

export type Neighbours = {
  readonly position: number;
  readonly total: number;
  readonly previous: CheckTarget | null;
  readonly next: CheckTarget | null;
};

const TYPES: ReadonlySet<unknown> = new Set(['ip', 'domain', 'url', 'hash']);

export function neighboursOf(text: string | null, { type, value }: CheckTarget): Neighbours | null {
  const order = readOrder(text);
  const at = order.findIndex((each) => each.type === type && each.value === value);
  if (at < 0 || order.length < 2) return null;
  return {
    position: at + 1,
    total: order.length,
    previous: order[at - 1] ?? null,
    next: order[at + 1] ?? null,
  };
}

function readOrder(text: string | null): readonly CheckTarget[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isTarget) : [];
  } catch {
    return [];
  }
}

function isTarget(entry: unknown): entry is CheckTarget {
  if (typeof entry !== 'object' || entry === null) return false;
  const { type, value } = entry as Record<string, unknown>;
  return TYPES.has(type) && typeof value === 'string';
}

export const storedOrder = (): string | null => readKept('tab', HANDED_OVER.bulkOrder);
