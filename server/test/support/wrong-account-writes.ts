import type pg from 'pg';
import { type AccountWrite, type AccountWriteKind, lettersAbout } from './account-writes.ts';
import type { ReceivedMail } from './peers/smtp-peer.ts';

/** For each kind of write, a query that counts how often PostgreSQL holds it for each target. */
const COUNTED: Readonly<Partial<Record<AccountWriteKind, string>>> = {
  verify: `select email as target, count(*)::int as count from app_user u
             join user_password p on p.user_id = u.id
             join audit_entry a on a.target = u.id and a.action = 'user.register' group by email`,
  organization: `select name as target, count(*)::int as count from organization o
             join audit_entry a on a.target = o.id and a.action = 'organization.create' group by name`,
  'key.create': `select label as target, count(*)::int as count from api_key k
             join audit_entry a on a.target = k.id and a.action = 'key.create' group by label`,
  'key.revoke': `select k.id as target, count(*)::int as count from api_key k
             join audit_entry a on a.target = k.id and a.action = 'key.revoke'
            where revoked_at is not null group by k.id`,
  invitation: `select email as target, count(*)::int as count from invitation i
             join audit_entry a on a.target = i.id and a.action = 'invitation.create' group by email`,
  accept: `select m.account_id || ' ' || m.user_id as target, count(*)::int as count from membership m
             join audit_entry a on a.account_id = m.account_id and a.action = 'invitation.accept'
            where m.origin = 'invitation' group by 1`,
  // The first entry of a member is about joining and not a change of role.
  role: `select account_id || ' ' || target as target, count(*)::int - 1 as count from audit_entry
          where action = 'membership.put' and account_id like 'org_%' group by 1`,
  ...Object.fromEntries(
    ['factor.add', 'factor.remove', 'recovery.create'].map((action) => [
      action,
      `select email as target, count(*)::int as count from audit_entry a
         join app_user u on u.id = a.account_id where a.action = '${action}' group by email`,
    ]),
  ),
};
/** Subjects of letters that must be sent once: each is queued in the transaction of its write or of a worker's job. */
const SUBJECTS: Readonly<Partial<Record<AccountWriteKind, string>>> = {
  register: 'Confirm your address',
  invitation: 'Invitation',
};

type Sent = { known: number; unknown: number; last: AccountWrite };

function byTarget(writes: readonly AccountWrite[], kind: AccountWriteKind): Map<string, Sent> {
  const sent = new Map<string, Sent>();
  for (const write of writes.filter((each) => each.kind === kind)) {
    const each = sent.get(write.target) ?? { known: 0, unknown: 0, last: write };
    if (write.isKnown) each.known += 1;
    else each.unknown += 1;
    sent.set(write.target, { ...each, last: write });
  }
  return sent;
}

/** Finds acknowledged writes that PostgreSQL does not hold, and writes that it holds more often than they were sent. */
export async function findWrongAccountWrites(
  client: pg.Client,
  writes: readonly AccountWrite[],
  mails: readonly ReceivedMail[],
): Promise<{ readonly lost: readonly string[]; readonly doubled: readonly string[] }> {
  const [lost, doubled]: [string[], string[]] = [[], []];
  const judge = (kind: string, sent: Map<string, Sent>, countOf: (target: string) => number): void => {
    for (const [target, { known, unknown }] of sent) {
      const count = countOf(target);
      if (count < known) lost.push(`${kind} ${target}: ${count} of ${known}`);
      if (count > known + unknown) doubled.push(`${kind} ${target}: ${count} of ${known + unknown}`);
    }
  };
  for (const [kind, statement] of Object.entries(COUNTED) as [AccountWriteKind, string][]) {
    const { rows } = await client.query<{ target: string; count: number }>(statement);
    const counts = new Map(rows.map(({ target, count }) => [target, count]));
    judge(kind, byTarget(writes, kind), (target) => counts.get(target) ?? 0);
  }
  for (const [kind, subject] of Object.entries(SUBJECTS) as [AccountWriteKind, string][])
    judge(`letter of ${kind}`, byTarget(writes, kind), (target) => lettersAbout(mails, target, subject));
  lost.push(...(await findOldRoles(client, byTarget(writes, 'role'))));
  return { lost, doubled };
}

/** Members whose role is not the last one that was acknowledged. */
async function findOldRoles(client: pg.Client, sent: Map<string, Sent>): Promise<string[]> {
  const { rows } = await client.query<{ target: string; role: string }>(
    `select account_id || ' ' || user_id as target, role from membership`,
  );
  const roles = new Map(rows.map(({ target, role }) => [target, role]));
  return [...sent].flatMap(([target, { last }]) =>
    last.isKnown && roles.get(target) !== last.value
      ? [`role ${target}: ${roles.get(target)} instead of ${last.value}`]
      : [],
  );
}
