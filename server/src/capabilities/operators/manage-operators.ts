import { newOperatorToken, normalizeCidr, operatorTokenHash } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import {
  finishAct,
  insertAct,
  insertOperator,
  markOperatorRevoked,
  type OperatorRow,
  selectOperators,
} from './store.ts';

/** `system` works across accounts: only administration uses it (foundation rule 2). */
export type ManageOperatorsDeps = { readonly system: Postgres; readonly clock: Clock };

const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;
const CIDRS_MAX = 50;
const LISTED_MAX = 1_000;
/** The operator name under which the command line records its acts, so no token may have it. */
const COMMAND_LINE = 'admin';

/** Makes an operator with a token. The token is shown only now, because its hash alone is stored. */
export async function createOperator(
  { system, clock }: ManageOperatorsDeps,
  { name, cidrs }: { readonly name: string; readonly cidrs: readonly string[] },
): Promise<OperatorRow & { readonly token: string }> {
  if (!NAME.test(name) || name === COMMAND_LINE)
    throw badRequest(
      `'${name}' is no name of an operator. Use 1 to 40 characters of a-z, 0-9, dot, dash, underscore, and not '${COMMAND_LINE}'.`,
    );
  const allowedCidrs = rangesOf(cidrs);
  const nowMs = clock.now();
  const token = newOperatorToken();
  return system.transaction(async (tx) => {
    const id = newId('opr', nowMs);
    const row = await insertOperator(
      tx,
      { id, name, tokenHash: operatorTokenHash(token), allowedCidrs },
      nowMs,
    );
    if (row === undefined)
      throw new ServiceError(
        'Conflict',
        `There is an operator '${name}' already. Revoke the token first (admin operator revoke ${name}), or choose another name.`,
      );
    await note(tx, 'operator.create', id, { name, allowedCidrs }, nowMs);
    return { ...row, token };
  });
}

export const listOperators = ({
  system,
}: Pick<ManageOperatorsDeps, 'system'>): Promise<readonly OperatorRow[]> =>
  selectOperators(system.db, LISTED_MAX);

/** The token stops working with the next request. */
export async function revokeOperator(
  { system, clock }: ManageOperatorsDeps,
  nameOrId: string,
): Promise<OperatorRow> {
  const nowMs = clock.now();
  return system.transaction(async (tx) => {
    const row = await markOperatorRevoked(tx, nameOrId, nowMs);
    if (row === undefined) throw notFound('Operator', nameOrId);
    await note(tx, 'operator.revoke', row.id, { name: row.name }, nowMs);
    return row;
  });
}

function rangesOf(cidrs: readonly string[]): readonly string[] {
  if (cidrs.length === 0 || cidrs.length > CIDRS_MAX)
    throw badRequest(`Name 1 to ${CIDRS_MAX} ranges from which the token works, such as 203.0.113.0/24.`);
  const ranges = cidrs.map((text) => {
    const range = normalizeCidr(text);
    if (range === null) throw badRequest(`'${text}' is not an address or range such as 203.0.113.0/24.`);
    if (range.endsWith('/0'))
      throw badRequest(`'${text}' is every address. A token of an operator works from named ranges alone.`);
    return range;
  });
  return [...new Set(ranges)];
}

async function note(
  tx: Db,
  action: string,
  target: string,
  detail: Readonly<Record<string, unknown>>,
  nowMs: number,
): Promise<void> {
  const id = newId('act', nowMs);
  await insertAct(tx, { id, operator: COMMAND_LINE, action, target, detail, ip: '', requestId: '' }, nowMs);
  await finishAct(tx, id, { outcome: 'done', reason: null }, nowMs);
}
