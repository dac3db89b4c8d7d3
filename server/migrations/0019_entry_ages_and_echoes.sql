-- Why: a file that keeps entries long after its publisher last saw them says nothing of today, so its entries age one by
-- one (scoring ruling 1); and a source that has another one's entries of a kind later is an echo of it (scoring ruling 4).
-- Size: some hundred sources. Lock: columns with a constant default, without a rewrite; the view is replaced at once.
alter table source add column keeps_entries boolean not null default false;
-- Kind of entry to the lineage that has such entries first.
alter table source add column echoes jsonb not null default '{}' check (jsonb_typeof(echoes) = 'object');

-- The new fields are present only where they say something: records of other sources stay as they are on every node.
create or replace view corpus_source_entry with (security_invoker = true) as
  select int2send(number) as key,
         convert_to(left(fields, -1)
                      || case when cardinality(scanner_kinds) = 0 then ''
                              else ', "scannerKinds" : ' || to_json(scanner_kinds)::text end
                      || case when keeps_entries then ', "keepsEntries" : true' else '' end
                      || case when echoes = '{}' then '' else ', "echoes" : ' || echoes::text end
                      || '}', 'UTF8') as value
    from (select number, scanner_kinds, keeps_entries, echoes,
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
