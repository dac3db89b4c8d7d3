-- Why: most trackers name neither sector nor country of a victim. Both are inferred from registered names, domains and articles
-- where trackers are silent; a claim says so, with the rule (decisions O65). What a tracker says stays without a rule.
-- Size: three columns of some 10,000 claims, empty at first; the worker fills them in batches of 1,000 (ransomware.infer).
-- Lock: ransomware_claim exclusively for the change of its catalogue entry, milliseconds. The release before writes claims
-- without the columns: they are inferred again, because their rules_mark stays null.

alter table ransomware_claim
  add column sector_rule text check (length(sector_rule) <= 100),
  add column country_rule text check (length(country_rule) <= 100),
  -- The rules that were applied to this claim; null: none yet.
  add column rules_mark integer;
