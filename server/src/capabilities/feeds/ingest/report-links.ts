import type { Domain, Listable } from '#domain/indicator/index.ts';

/** A source of this tag collects reports, whose texts link to their own publishers. */
export const REPORT_TAG = 'report';

/**
 * Publishers of reports: security vendors, response teams, sandboxes and news, by name. Only names to which their owner
 * alone writes are here; a forum or a repository (arstechnica.com, github.com) may hold what a report is about. The list
 * of vendors' blogs that the catalogue loads cannot be used for this: it holds dropbox.com and sites.google.com.
 */
const PUBLISHERS: ReadonlySet<string> = new Set(
  `abuse.ch ahnlab.com amnesty.org any.run avast.io avira.com bitdefender.com bleepingcomputer.com cert.gov.ua cert.pl
  cert.ssi.gouv.fr checkpoint.com circl.lu cisa.gov citizenlab.ca clearskysec.com crowdstrike.com cyberscoop.com
  cybereason.com darkreading.com elastic.co eset.com f-secure.com fireeye.com fortinet.com gdatasoftware.com
  gendigital.com group-ib.com huntress.com hybrid-analysis.com intezer.com joesandbox.com kaspersky.com
  krebsonsecurity.com malwarebytes.com mandiant.com mcafee.com mitre.org ncsc.gov.uk netresec.com nvd.nist.gov
  otx.alienvault.com paloaltonetworks.com proofpoint.com qianxin.com rapid7.com recordedfuture.com redcanary.com
  securelist.com securityweek.com sekoia.io sentinelone.com sophos.com symantec.com talosintelligence.com
  thehackernews.com therecord.media trellix.com trendmicro.com tria.ge unit42.com urlscan.io us-cert.gov virustotal.com
  volexity.com welivesecurity.com withsecure.com zscaler.com`
    .trim()
    .split(/\s+/),
);

/** True for the name of a publisher of reports, a name below it, and a link there. An e-mail address is never one. */
export function isReportLink(indicator: Listable): boolean {
  if (indicator.kind === 'domain') return isPublisher(indicator);
  return indicator.kind === 'url' && indicator.host.kind === 'domain' && isPublisher(indicator.host);
}

function isPublisher({ value }: Domain): boolean {
  for (let start = 0; start >= 0; start = nextLabel(value, start))
    if (PUBLISHERS.has(value.slice(start))) return true;
  return false;
}

function nextLabel(value: string, start: number): number {
  const dot = value.indexOf('.', start);
  return dot < 0 ? -1 : dot + 1;
}
