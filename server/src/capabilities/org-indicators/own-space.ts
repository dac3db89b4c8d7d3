import { addressKeys, createKeyWriter } from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { plural } from '#domain/text/plural.ts';
import type { Db } from '#platform/postgres.ts';
import type { Item, SubmitWarning } from './contract.ts';
import { entryKeyOf } from './entry-key.ts';
import { selectAllowedBetween } from './store.ts';

/** Who sends the batch, and from which address. */
export type Sender = { readonly accountId: string; readonly address: string | null };

/** Warns of blocking the address that the batch comes from, and ranges that hold what the organization itself allows. */
export async function warningsOfOwnSpace(
  tx: Db,
  { accountId, address }: Sender,
  items: readonly Item[],
  nowMs: number,
): Promise<readonly SubmitWarning[]> {
  const sender = address === null ? null : keyOfAddress(address);
  const warnings: SubmitWarning[] = [];
  for (const [index, { indicator, disposition }] of items.entries()) {
    if (disposition !== 'block') continue;
    const { value } = indicator;
    const tell = (message: string) => warnings.push({ index, value, code: 'own', message });
    if (indicator.kind === 'ip' && value === sender?.value)
      tell('This request comes from that address: blocking it may lock you out.');
    if (indicator.kind !== 'cidr') continue;
    const { from, to } = addressKeys(indicator);
    if (sender !== null && Buffer.compare(sender.key, from) >= 0 && Buffer.compare(sender.key, to) < 0)
      tell(`The range holds ${sender.value}, from which this request comes: blocking it may lock you out.`);
    const allowed = await selectAllowedBetween(
      tx,
      { from: entryKeyOf(accountId, from), to: entryKeyOf(accountId, to) },
      nowMs,
    );
    if (allowed.example !== null)
      tell(
        `The range holds ${plural(allowed.count, 'address', 'addresses')} that your organization allows, such as ${allowed.example}: they are left out of your lists.`,
      );
  }
  return warnings;
}

const keys = createKeyWriter();

function keyOfAddress(text: string): { readonly value: string; readonly key: Uint8Array } | null {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') return null;
  return { value: parsed.indicator.value, key: Uint8Array.from(keys.of(parsed.indicator)) };
}
