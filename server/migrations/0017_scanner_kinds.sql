-- Why: a source that collects samples says of a file that it is malware; the addresses and names in its reports are
-- leads. Each source of scanner signal now names the kinds it is a scanner for; empty means every kind it lists.
-- Size: some hundred sources. Lock: the column is added without a rewrite; the view is replaced at once.
alter table source add column scanner_kinds text[] not null default '{}';

-- These lists describe what they name and no longer vouch for it. A later import writes the other settings of their rows;
-- it cannot take a guard away, because a setting that a row does not have keeps its value.
update source set guard = null
 where id in ('misp-eicar', 'misp-empty-hashes', 'misp-security-provider-blogpost');

-- `scannerKinds` is present only where it is given: records of sources from before this file stay as they are on every
-- node, so that no replica has to be built again.
create or replace view corpus_source_entry with (security_invoker = true) as
  select int2send(number) as key,
         convert_to(case when cardinality(scanner_kinds) = 0 then fields
                         else left(fields, -1) || ', "scannerKinds" : ' || to_json(scanner_kinds)::text || '}'
                    end, 'UTF8') as value
    from (select number, scanner_kinds,
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
