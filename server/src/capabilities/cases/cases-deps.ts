import type { Actor } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Db, Postgres } from '#platform/postgres.ts';

/** Whether something exists in an account, asked in the transaction that links it. */
export type IsThere = (tx: Db, accountId: string, id: string) => Promise<boolean>;

/** What a case can be linked to. Each belongs to another capability. */
export type CaseLinks = { readonly alert: IsThere; readonly finding: IsThere; readonly report: IsThere };

export type CasesDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly links: CaseLinks;
  /** What the plan of the caller has: cases, and bytes of evidence in all of them. */
  readonly limitsOf: (principal: Principal) => { readonly cases: number; readonly evidenceBytes: number };
};

/** Who changes something: the caller, and how the audit trail names it. */
export type Acting = { readonly principal: Principal; readonly actor: Actor };
