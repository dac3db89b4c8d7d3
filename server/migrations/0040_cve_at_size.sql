-- Why: what a catalogue of 350,000 CVEs showed. Lock: cve_pending and cve_cpe_name for a moment, cve_vendor_product for the
-- seconds of an index over some 200,000 rows of 60 bytes.

-- A change of EPSS across 0.1 or 0.5 says from which score it came. A record has the score of its last merge, which may be weeks
-- old; the load of the day knows the score of the day before and writes it here beside the mark.
alter table cve_pending add column epss_before real;

-- CPE names are searched by the pairs of vendor and product, of which there are six times fewer.
create index cve_vendor_product_names on cve_vendor_product using gin ((vendor || ' ' || product) gin_trgm_ops);
drop index cve_cpe_name_words;
