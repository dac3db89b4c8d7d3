import { parseCveId } from '../cve-id.ts';
import { fieldOf, listAt, textAt } from '../fields.ts';
import { createInventory, ENTRIES_MAX, type Inventory, type VexStatement } from './inventory.ts';

const STATUSES: readonly unknown[] = ['affected', 'not_affected', 'fixed', 'under_investigation'];

/** An OpenVEX document: statements and no components. */
export function readOpenVex(document: unknown): Inventory {
  const draft = createInventory();
  for (const statement of draft.limited(listAt(document, 'statements', ENTRIES_MAX + 1), 'statement')) {
    const vulnerability = fieldOf(statement, 'vulnerability');
    const name = typeof vulnerability === 'string' ? vulnerability : textAt(vulnerability, 'name', 200);
    const cveId = parseCveId(name ?? '');
    const status = fieldOf(statement, 'status');
    if (cveId === null || !STATUSES.includes(status)) {
      draft.skip(name, 'unreadable');
      continue;
    }
    draft.statements.push({
      cveId,
      status: status as VexStatement['status'],
      justification: textAt(statement, 'justification', 100),
      products: listAt(statement, 'products', 10_000).flatMap(productsOf),
    });
  }
  return draft.finish();
}

/** If a product has subcomponents, the statement is about these alone. */
function productsOf(product: unknown): readonly string[] {
  const inner = listAt(product, 'subcomponents', 10_000).flatMap((item) => textAt(item, '@id', 1024) ?? []);
  if (inner.length > 0) return inner;
  const id = typeof product === 'string' ? product : textAt(product, '@id', 1024);
  return id === null ? [] : [id];
}
