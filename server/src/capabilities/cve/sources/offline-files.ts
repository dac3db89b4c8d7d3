import type { DatasetFile } from '#capabilities/datasets/index.ts';

/** The folders of an offline data set that hold vulnerabilities. */
export const CVE_FOLDERS: readonly string[] = ['cve/'];

export const CVE_FILES: readonly DatasetFile[] = [
  { path: 'cve/vulnrichment/vulnrichment-2024-30xxx-up.tar.gz', dataset: 'vulnrichment' },
  { path: 'cve/nvd-overrides/nvd-data-overrides.tar.gz', dataset: 'nvd-overrides' },
  { path: 'cve/kev/known_exploited_vulnerabilities.json.gz', dataset: 'kev' },
  {
    path: 'cve/kev/known_exploited_vulnerabilities.csv.gz',
    dataset: null,
    note: 'The same catalogue as CSV.',
  },
  { path: 'cve/kev/known_exploited_vulnerabilities_schema.json', dataset: null, note: 'A schema, no data.' },
  { path: 'cve/nuclei/nuclei-cves.jsonl.gz', dataset: 'nuclei' },
  { path: 'cve/nuclei/nuclei-epss-cvss-cpe.csv.gz', dataset: null, note: 'Made from the templates.' },
  { path: 'cve/epss/epss_scores-nuclei.csv', dataset: 'epss' },
  { path: 'cve/ctid-mappings/kev-07.28.2025_attack-16.1-enterprise.json.gz', dataset: 'ctid' },
  { path: 'cve/osv-go/go-vulndb-osv.tar.gz', dataset: 'osv-go' },
  { path: 'cve/osv-pypi/pypa-advisories.tar.gz', dataset: 'osv-pypi' },
  { path: 'cve/osv-npm/', dataset: 'osv-npm' },
  { path: 'cve/osv-maven/', dataset: 'osv-maven' },
  { path: 'cve/osv-packagist/', dataset: 'osv-packagist' },
  { path: 'cve/osv-nuget/', dataset: null, note: 'Its one advisory has no CVE id.' },
  { path: 'cve/osv-rubygems/', dataset: 'osv-rubygems' },
  { path: 'cve/osv-crates/', dataset: 'osv-crates' },
  { path: 'cve/cve-list/', dataset: 'cve-list' },
  { path: 'cve/famous.tsv', dataset: null, note: 'Well-known vulnerabilities, for tests.' },
  { path: 'cve/sbom/cyclonedx-examples.tar.gz', dataset: null, note: 'Bills of materials for CVE watch.' },
  { path: 'cve/sbom/spdx-examples.tar.gz', dataset: null, note: 'Bills of materials for CVE watch.' },
];
