import { type Db, sql } from '../../server/src/platform/postgres.ts';

/** One account with many alerts, findings and cases, written as the service would have left them. */

const ROWS_AT_ONCE = 50_000;
const COMPONENTS = 1_000;

export type BusySizes = { readonly alerts: number; readonly findings: number; readonly cases: number };

async function inBatches(total: number, put: (from: number, through: number) => Promise<unknown>) {
  for (let from = 0; from < total; from += ROWS_AT_ONCE)
    await put(from, Math.min(total, from + ROWS_AT_ONCE) - 1);
}

/** A third each is open, acknowledged and resolved; one of `findings` in four is about a finding. Raised in the last 90 days. */
export const putAlerts = (db: Db, accountId: string, { alerts, findings }: BusySizes): Promise<void> =>
  inBatches(alerts, (from, through) =>
    sql`
      insert into alert (id, account_id, type, severity, status, entity_type, entity_value, fingerprint, title, description,
                         reason, source, confidence, data, finding_id, created_at, updated_at, acknowledged_at, resolved_at,
                         open_since)
      select 'alrt_L' || n, ${accountId}, (array['reputation.malicious', 'reputation.changed', 'whois.changed'])[1 + n % 3],
             n % 5, s.status, 'domain', 'h' || n || '.example.com', decode(lpad(to_hex(n), 32, '0'), 'hex'),
             'h' || n || '.example.com: High risk', 'It was inconclusive.', 'A list names it.', 'monitoring', 60,
             '{"level": "high"}', case when n % 4 = 0 and n < ${findings}::bigint then 'xfnd_L' || n end, t.at,
             t.at + interval '1 hour', case when s.status <> 'OPEN' then t.at + make_interval(secs => n % 90000) end,
             case when s.status = 'RESOLVED' then t.at + make_interval(secs => 90000 + n % 500000) end, t.at
        from generate_series(${from}::bigint, ${through}::bigint) as n,
             lateral (select (array['OPEN', 'ACKNOWLEDGED', 'RESOLVED'])[1 + n % 3] as status) s,
             lateral (select now() - make_interval(secs => (n * 7919) % 7776000) as at) t`.execute(db),
  );

/**
 * The oldest half is patched, so that the most urgent findings are not simply the oldest. Of the rest two in three are
 * P1 (known or reported exploitation), as after a bad week.
 */
export async function putFindings(db: Db, accountId: string, { findings }: BusySizes): Promise<void> {
  await sql`
    insert into cve_watch_account (account_id, perimeters, components) values (${accountId}, 1, ${COMPONENTS})`.execute(
    db,
  );
  await sql`
    insert into cve_watch_perimeter (id, account_id, name, kind, component_count, created_at, updated_at)
    values ('per_L1', ${accountId}, 'Servers', 'manual', ${COMPONENTS}, now(), now())`.execute(db);
  await sql`
    insert into cve_watch_component (id, account_id, perimeter_id, origin, match_key, vendor, product, version, direct, created_at)
    select 'cmp_L' || n, ${accountId}, 'per_L1', '', decode(md5(n::text), 'hex'), 'vendor' || n % 50, 'product' || n, '1.2.' || n,
           true, now()
      from generate_series(0, ${COMPONENTS}::int - 1) as n`.execute(db);
  await inBatches(findings, async (from, through) => {
    const series = sql`generate_series(${from}::bigint, ${through}::bigint) as n`;
    const cve = sql`'CVE-2024-' || 10000 + n`;
    await sql`
      insert into cve (id, is_rejected, severity, is_kev, exploitation, published, cwes, summary, record, words)
      select ${cve}, false, 1 + n % 5, n % 7 = 0, n % 3, now(), '{}', 'A flaw', '{}', '' from ${series}`.execute(
      db,
    );
    await sql`insert into cve_epss (cve_id, score) select ${cve}, (n % 1000) / 1000.0 from ${series}`.execute(
      db,
    );
    await sql`
      insert into cve_watch_finding (id, account_id, perimeter_id, component_id, cve_id, status, priority, is_confirmed, is_kev,
                                     exploitation, fixed_version, created_at, updated_at)
      select 'xfnd_L' || n, ${accountId}, 'per_L1', 'cmp_L' || n % ${COMPONENTS}::int, ${cve},
             case when n < ${findings}::bigint / 2 then 'PATCHED' when n % 2 = 0 then 'OPEN' else 'ACKNOWLEDGED' end,
             case when n % 3 < 2 then 1 else 2 + n % 2 end, true, n % 3 = 0, case when n % 3 = 1 then 2 end, '1.3.0',
             t.at, t.at
        from ${series},
             lateral (select now() - make_interval(secs => (${findings}::bigint - n) * 150) as at) t`.execute(
      db,
    );
  });
}

/** A quarter each of the four statuses; some are about an alert or a finding. */
export const putCases = (db: Db, accountId: string, { cases, alerts, findings }: BusySizes): Promise<void> =>
  inBatches(cases, (from, through) =>
    sql`
      insert into action_case (id, account_id, user_id, title, description, status, priority, linked_alert_id,
                               linked_cve_finding_id, head_hash, changed_by, created_at, updated_at, resolved_at)
      select 'case_L' || n, ${accountId}, 'usr_01', 'Case ' || n, 'What happened on host ' || n, s.status, 1 + n % 4,
             case when n % 5 = 0 then 'alrt_L' || (n * 7) % ${alerts}::bigint end,
             case when n % 5 = 1 then 'xfnd_L' || (n * 3) % ${findings}::bigint end, sha256(n::text::bytea), 'usr_01', t.at, t.at,
             case when s.status in ('RESOLVED', 'CLOSED') then t.at + make_interval(secs => n % 700000) end
        from generate_series(${from}::bigint, ${through}::bigint) as n,
             lateral (select (array['OPEN', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'])[1 + (n / 4) % 4] as status) s,
             lateral (select now() - make_interval(secs => (n * 7919) % 7776000) as at) t`.execute(db),
  );
