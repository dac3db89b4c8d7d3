-- Why: a list that an operator imports is scored by its grade, does not age and is exported (O81); and each blocklist says how
-- many entries were left out of it and why. The grade of such a list was stored and had no effect on its reliability.
-- Size: some hundred sources, eight blocklists. Lock: columns with a constant default, without a rewrite; the view is replaced
-- at once.
alter table source add column own_list boolean not null default false;
-- Days after an import for which an own list counts; 0: it does not expire.
alter table source add column expires_days integer not null default 0 check (expires_days between 0 and 3650);
-- False: its entries count in checks and are in no blocklist and in no collection, whatever its license allows.
alter table source add column exported boolean not null default true;

-- {belowScore, license, allowlisted}; null: not counted yet. And the state of the levels that was counted.
alter table blocklist add column excluded jsonb check (jsonb_typeof(excluded) = 'object');
alter table blocklist add column excluded_as text check (length(excluded_as) <= 500);

-- The new fields are present only where they say something: records of other sources stay as they are on every node.
create or replace view corpus_source_entry with (security_invoker = true) as
  select int2send(number) as key,
         convert_to(left(fields, -1)
                      || case when cardinality(scanner_kinds) = 0 then ''
                              else ', "scannerKinds" : ' || to_json(scanner_kinds)::text end
                      || case when keeps_entries then ', "keepsEntries" : true' else '' end
                      || case when echoes = '{}' then '' else ', "echoes" : ' || echoes::text end
                      || case when own_list then ', "ownList" : true' else '' end
                      || case when expires_days = 0 then '' else ', "expiresDays" : ' || expires_days::text end
                      || case when exported then '' else ', "exported" : false' end
                      || '}', 'UTF8') as value
    from (select number, scanner_kinds, keeps_entries, echoes, own_list, expires_days, exported,
                 json_build_object(
                   'number', number, 'id', id, 'name', name, 'type', type, 'category', category,
                   'categories', case when cardinality(categories) = 0 then array[category] else categories end,
                   'threatClass', threat_class, 'fpRisk', fp_risk, 'signal', signal, 'adOnly', ad_only,
                   'semantics', semantics, 'cidrSemantics', cidr_semantics, 'attributes', attributes,
                   'reliability', reliability, 'letter', letter, 'lineage', lineage, 'aggregate', aggregate,
                   'cluster', cluster, 'intervalS', interval_s, 'provider', provider, 'url', url, 'licence', licence,
                   'licenceMode', licence_mode, 'redistributable', redistributable, 'attribution', attribution,
                   'tags', tags, 'entityTypes', entity_types, 'format', format, 'retentionDays', retention_days,
                   'guard', guard, 'rankMax', rank_max, 'scheduled', scheduled, 'enabled', enabled,
                   'version', version,
                   'dataAtS', coalesce(date_part('epoch', data_at)::bigint, 0),
                   'lastFetchAtS', coalesce(date_part('epoch', last_fetch_at)::bigint, 0),
                   'entries', entries)::text as fields
            from source) as row;

-- Lists that operators imported before this file: every source of the catalogue and every approved submission names its
-- publisher, and no command of an operator does. A past verdict is replayed with the rules of its day.
create temporary table own_before on commit drop as
  select s.number,
         -- A reliability that is neither the default nor learned from it was chosen by the operator and stays.
         s.letter <> 'F' and (s.reliability = 0.35::real or exists (
           select 1 from source_reliability_day d
            where d.source_number = s.number and s.reliability in (d.reliability, d.previous))) as had_no_effect
    from source s
   where s.provider is null and not s.scheduled
     and not exists (select 1 from feed_state f where f.source_number = s.number and f.catalogue is not null);
update source_revision r set settings = r.settings || '{"own_list": false}'
  from own_before o where o.number = r.source_number;
update source s
   set own_list = true,
       reliability = case when o.had_no_effect
                          then least(case when s.aggregate then 0.4 else 1 end,
                                     case s.letter when 'A' then 0.95 when 'B' then 0.75 when 'C' then 0.5
                                                   when 'E' then 0.2 else 0.35 end)
                          else s.reliability end
  from own_before o where o.number = s.number;
insert into source_revision (source_number, valid_from, settings)
  select s.number, now(), to_jsonb(s) - array['data_at', 'last_fetch_at', 'entries', 'created_at', 'version']
    from source s join own_before o using (number)
on conflict (source_number, valid_from) do update set settings = excluded.settings;

-- Every node reads the changed records again (platform/replica/change-log.ts writes the same rows).
select pg_advisory_xact_lock(hashtextextended('assay.replica.corpus', 0));
with drawn as materialized (
  select nextval('replica_seq') as seq, clock_timestamp() as at where exists (select 1 from own_before)
), logged as (
  insert into replica_change (dataset, seq, collection, key, at)
  select 'corpus', drawn.seq, 'source', int2send(o.number), drawn.at from drawn, own_before o order by o.number
)
insert into replica_edition (dataset, seq, at) select 'corpus', seq, at from drawn;
