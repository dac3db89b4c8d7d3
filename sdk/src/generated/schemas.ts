// Written by `npm run sdk:generate` from the description of the API. Do not edit.

/** Every error has this form; some carry more fields, named where they occur. */
export type ErrorBody = {
  /** What kind of failure this is. */
  readonly error: 'Bad Request' | 'Unauthorized' | 'Forbidden' | 'Not Found' | 'Method Not Allowed' | 'Request Timeout' | 'Conflict' | 'Payload Too Large' | 'Unsupported Media Type' | 'Unprocessable Content' | 'Rate Limited' | 'Scan quota exceeded' | 'Internal Server Error' | 'Service unavailable' | 'Request Header Fields Too Large';
  /** What went wrong, in a sentence for the caller. */
  readonly message: string;
  /** Same as the X-Request-Id header; quote it when you ask. */
  readonly requestId: string;
  /** With 400: one entry per field. */
  readonly details?: readonly ({
    /** The field. */
    readonly path: string;
    /** What is wanted, and what came. */
    readonly message: string;
  })[];
  /** With 429 and 503: seconds to wait. */
  readonly retryAfter?: number;
};

/** An error that says which limit was reached and when it ends. */
export type RateLimitedError = {
  /** What kind of failure this is. */
  readonly error: 'Bad Request' | 'Unauthorized' | 'Forbidden' | 'Not Found' | 'Method Not Allowed' | 'Request Timeout' | 'Conflict' | 'Payload Too Large' | 'Unsupported Media Type' | 'Unprocessable Content' | 'Rate Limited' | 'Scan quota exceeded' | 'Internal Server Error' | 'Service unavailable' | 'Request Header Fields Too Large';
  /** What went wrong, in a sentence for the caller. */
  readonly message: string;
  /** Same as the X-Request-Id header; quote it when you ask. */
  readonly requestId: string;
  /** With 400: one entry per field. */
  readonly details?: readonly ({
    /** The field. */
    readonly path: string;
    /** What is wanted, and what came. */
    readonly message: string;
  })[];
  /** With 429 and 503: seconds to wait. */
  readonly retryAfter?: number;
  /** The plan that sets the limit; ANONYMOUS for a limit by address. */
  readonly plan?: string;
  /** With the burst and with limits by address. */
  readonly rateLimit?: {
    /** Requests per minute. */
    readonly limit?: number;
    /** 0. */
    readonly remaining?: number;
    /** When the whole burst is there again. */
    readonly resetAt?: string;
  };
  /** With the month: what was used and the limit. With scans: the number that was used. */
  readonly usage?: {
    /** Used this month. */
    readonly current?: number;
    /** Per month. */
    readonly limit?: number;
  } | number;
  /** With scans: per month. */
  readonly limit?: number;
  /** With the month and with scans: when they start again. */
  readonly resetsAt?: string;
  /** A larger plan would allow this now. */
  readonly upgradeRequired?: boolean;
  /** With scans: the subscription is suspended. */
  readonly billingIssue?: boolean;
  /** With scans: the chapter of the reference about limits. */
  readonly docs?: string;
  /** With scans: the next step for the caller, as data. `href` is there only where the operator has named a page. */
  readonly cta?: {
    readonly [key: string]: unknown;
  };
};

export type AcceptBody = {
  /** From the link of the letter, after #token=. */
  readonly token: string;
};

export type ActionCase = {
  readonly id: string;
  /** Who opened it. */
  readonly userId: string;
  readonly organizationId: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly status: 'OPEN' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED';
  readonly priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  readonly entityType: 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'phone' | 'cve' | null;
  readonly entityValue: string | null;
  readonly linkedAlertId: string | null;
  readonly linkedCveFindingId: string | null;
  readonly linkedReportId: string | null;
  /** Oldest first. */
  readonly evidence: readonly ActionCaseEvidence[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ActionCaseEvidence = {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: {
    readonly [key: string]: unknown;
  };
  readonly createdAt: string;
  /** SHA-256 of the hash before and the piece in RFC 8785 form, in hexadecimal. Beyond the contract. */
  readonly hash: string;
};

export type ActionCenterOverview = {
  readonly generatedAt: string;
  readonly metrics: {
    readonly openCriticalAlerts: number;
    readonly openHighAlerts: number;
    /** Open alerts without activity for 72 hours. */
    readonly staleOpenAlerts: number;
    readonly acknowledgedAlerts: number;
    /** Open or acknowledged findings whose exploitation is reported. */
    readonly activeExploitFindings: number;
    /** Open or acknowledged findings of known exploited vulnerabilities. */
    readonly kevFindings: number;
    /** Cases that are OPEN or IN_PROGRESS. */
    readonly openCases: number;
  };
  /** Most urgent first, then oldest. An alert with its finding or its case stands once, in the strongest form. */
  readonly priorityQueue: readonly ({
    readonly id: string;
    readonly source: 'case' | 'cve_finding' | 'alert';
    readonly priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
    readonly title: string;
    readonly status: string;
    /** Why it is here, as a sentence with its facts. */
    readonly reason: string;
    /** A path on the host of the dashboard. */
    readonly href: string;
    readonly primaryAction: 'acknowledge' | 'patch' | 'investigate' | 'close';
    readonly description: string | null;
    readonly entityType: string | null;
    readonly entityValue: string | null;
    readonly createdAt: string | null;
    readonly updatedAt: string | null;
  })[];
  readonly socActions: readonly ({
    readonly id: string;
    readonly title: string;
    readonly source: 'case' | 'cve_finding' | 'alert';
    readonly priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
    /** A path on the host of the dashboard. */
    readonly href: string;
  })[];
  /** From the opening of a case to the resolution that stands. Beyond the contract. */
  readonly caseMttr: {
    readonly p50Hours: number | null;
    readonly p90Hours: number | null;
    /** Cases that were resolved in the last 30 days and still are. */
    readonly sampleSize: number;
  };
  /** A part could not be read: its figures are zero and mean nothing. */
  readonly degraded: boolean;
  /** The parts that could not be read. Beyond the contract. */
  readonly missing: readonly ('alerts' | 'findings' | 'cases')[];
};

export type AddCaseEvidenceRequest = {
  /** note, check_result, mail_scan, alert, cve_finding, report, indicator, or a word of your own. */
  readonly kind: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  /** At most 64 KiB as JSON without blanks, and 20 levels deep. */
  readonly payload: {
    readonly [key: string]: unknown;
  };
};

export type Alert = {
  readonly id: string;
  readonly type: 'reputation.malicious' | 'reputation.changed' | 'ransomware.claim' | 'certificate.changed' | 'whois.changed' | 'location.changed' | 'infrastructure.changed' | 'lookalike.found' | 'cve.finding';
  readonly severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
  readonly status: 'OPEN' | 'ACKNOWLEDGED' | 'RESOLVED';
  readonly entity: {
    /** ip, domain, url, email or cve; product for a possible finding; watchlist or perimeter for a summary. */
    readonly type: string;
    readonly value: string;
  };
  readonly title: string;
  readonly description: string;
  /** Why it came, as a sentence with its facts. Beyond the contract. */
  readonly reason: string;
  /** What raised it: monitoring or cve-watch. */
  readonly source: string;
  readonly confidence: number;
  /** The facts of its type. */
  readonly data: {
    readonly [key: string]: unknown;
  };
  readonly createdAt: string;
  /** The last activity: raised again, or decided about. */
  readonly updatedAt: string;
  readonly acknowledgedAt: string | null;
  readonly resolvedAt: string | null;
  /** How often it was raised while it was not resolved. */
  readonly occurrences: number;
  /** The watched item that it is about. Beyond the contract. */
  readonly monitorId?: string;
  readonly findingId?: string;
  readonly cveId?: string;
  readonly priority?: 'P1' | 'P2' | 'P3';
};

export type Analysis = {
  readonly summary: string;
  readonly confidence: {
    readonly score: number;
    readonly level: 'low' | 'medium' | 'high';
  } | null;
  /** `not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file. */
  readonly recommendedAction: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  /** The author of the summary. Verdict, confidence and action are never the model’s. Beyond the contract. */
  readonly writtenBy: 'rules' | 'model';
};

export type Analytics = {
  readonly threatOverview?: ThreatOverview;
  /** Threats by the category of the sources that list them, most first. One listed under two categories counts in both, so shares may add up to more than 1. */
  readonly categoryBreakdown?: readonly ({
    readonly category: string;
    readonly count: number;
    readonly share: number;
  })[];
  /** Threat sources with the most entries. */
  readonly topSources?: readonly ({
    readonly id: string;
    readonly name: string;
    readonly count: number;
  })[];
  /** Threats by risk level, worst first; `inconclusive` is a listed indicator whose listings have too little weight, `safe` one that a list vouches for besides. Only listings of the indicator itself count: ranges around it, domains above it and its network are left out. AS numbers have no level. Empty before the first count. */
  readonly threatDistribution?: readonly ({
    readonly level: string;
    readonly count: number;
    /** The same by the words that a check has for this level, most first. Beyond the contract. */
    readonly words: readonly ({
      readonly word: string;
      readonly count: number;
    })[];
  })[];
  /** The last 30 days (UTC), today last; a day on which nothing happened is there with zeros. `added` is counted as in `recentActivity`, `removed` by the day on which a fetch no longer had the entry. */
  readonly threatTimeline?: readonly ({
    readonly day: string;
    readonly added: number;
    readonly removed: number;
  })[];
  /** Listed threat addresses by country, most first; ranges, and addresses whose country the geo file does not know, are left out. Empty without a geo file. */
  readonly geoThreatMap?: readonly ({
    readonly countryCode: string;
    readonly count: number;
  })[];
  /** Of the CVE catalogue, without rejected CVEs: CVEs by severity, known exploited ones, those with reported exploitation, and the 20 most frequent weaknesses. Nulls and empty while no CVE is loaded. */
  readonly vulnerabilityPatterns?: {
    readonly bySeverity: {
      readonly [key: string]: number;
    };
    readonly kev: number | null;
    readonly activeExploit: number | null;
    /** False: no CVE is loaded on this service. Beyond the contract. */
    readonly loaded: boolean;
    readonly topCwes: readonly ({
      readonly cwe: string;
      readonly count: number;
    })[];
  };
};

export type AnnouncedNetwork = {
  readonly asn: number;
  /** The operator of the autonomous system. */
  readonly name: string;
  /** The range around the address that the network announces. */
  readonly prefix: string | null;
  readonly country: string | null;
  /** ISO 3166-1, two letters. */
  readonly countryCode: string | null;
};

export type ApiKeyList = {
  readonly keys: readonly ListedApiKey[];
};

export type AsnMembers = {
  readonly counts: MemberCounts;
  /** The latest first sightings, 100 at a time. Absent when the cursor belongs to `worst`. */
  readonly newest?: MemberList;
  /** The highest scores among those examined, 100 at a time. Absent when the cursor belongs to `newest`. */
  readonly worst?: MemberList;
  /** Ranges of the network in the table of networks. */
  readonly announced: number;
  /** Prefixes that it announces, each as wide as /threat-intel/network answers: those with the most listed addresses first, then others in the order of addresses. */
  readonly ranges: readonly ({
    readonly cidr: string;
    readonly listed: number;
  })[];
};

export type AuditPage = {
  readonly entries: readonly AuditRecord[];
  /** `before` of the next page; null on the last one. */
  readonly next: string | null;
};

export type AuditRecord = {
  readonly id: string;
  readonly at: string;
  readonly actor: {
    readonly kind: 'key' | 'session' | 'operator' | 'system' | 'anonymous';
    /** The key, session or client address. */
    readonly id: string;
  };
  /** Noun, then verb: `membership.put`. */
  readonly action: string;
  readonly target: string;
  /** `by` is the user who did it. */
  readonly detail: {
    readonly [key: string]: string;
  };
  /** The client address; empty where there was none. */
  readonly address: string;
  readonly requestId: string;
};

export type AutonomousSystem = {
  /** The address that was asked about; null when a number was. */
  readonly ip: string | null;
  /** Null while no table of networks is loaded and an address was asked about. */
  readonly asn: number | null;
  /** Null for a network that is listed and announces nothing. */
  readonly asName: string | null;
  /** The holder in the table of networks. */
  readonly org: string | null;
  /** Null: the loaded table has no countries of networks. */
  readonly country: string | null;
  /** Null: the loaded table has no registries. */
  readonly registry: string | null;
  /** `hosting` when a list of hosting networks names it, else `unknown`; never guessed from a name. */
  readonly type: 'isp' | 'hosting' | 'business' | 'education' | 'government' | 'unknown';
  /** The widest prefix around the address that the network announces, such as 185.220.100.0/22; null for a number. */
  readonly prefix: string | null;
  /** Null: the loaded table has no dates of allocation. */
  readonly allocatedAt: string | null;
  /** Whether a list of criminal networks contains the network itself. Null: the network is unknown. */
  readonly listed: boolean | null;
  /** Id of that source. */
  readonly list: string | null;
  /** Distinct single addresses inside its ranges that an enabled threat source lists now. Listed ranges, and advertising and tracker lists, do not count. Counted at most once in five minutes. */
  readonly listedIps: number | null;
  /** Date of the table of networks; null while none is loaded. */
  readonly updatedAt: string | null;
  /** False: the data is not on this service. Figures are null, lists are empty, and `message` has the command or setting that changes it. Beyond the contract. */
  readonly loaded: boolean;
  /** Why figures are null, and what an operator can do. Beyond the contract. */
  readonly message?: string;
  /** With `members=true`: its ranges, and the listed addresses inside everything it announces. An extension. */
  readonly members?: AsnMembers;
};

/** An event of the payment provider, as it sends it. */
export type BillingEvent = {
  readonly id: string;
  readonly type: string;
};

export type BillingEventReceived = {
  readonly received: true;
};

export type BillingPage = {
  /** A page of the billing provider. Open it in the browser. */
  readonly url: string;
};

export type Brief = {
  readonly query: string;
  /** ip, domain, url, hash, email, search or ransomware. */
  readonly type: string;
  /** The level, or unknown: which is never a clean verdict. */
  readonly verdict: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'unknown';
  readonly headline: string;
  readonly summary: string;
  readonly riskScore: number | null;
  /** inconclusive beside an unknown verdict, for any score. */
  readonly riskLevel: string | null;
  /** `not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file. */
  readonly recommendedAction: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  readonly categories: readonly string[];
  /** As in /check. */
  readonly malwareFamily?: string;
  /** Names of lists that name it, strongest first. */
  readonly sources: readonly string[];
  /** A page about it; null while this service has none. */
  readonly reportUrl: string | null;
};

export type BulkCheckBody = {
  /** IP addresses, domains, URLs, file hashes, e-mail addresses and phone numbers, as many as the plan allows. Duplicates are found trimmed and in lower case; the first spelling is judged. */
  readonly entities: readonly string[];
  /** `basic` leaves out the evidence of each row; the other levels carry it. */
  readonly enrichment?: 'fast' | 'basic' | 'standard' | 'full' | undefined;
  /** `csv`: one line a row, safe to open in a spreadsheet. */
  readonly format?: 'json' | 'csv' | undefined;
  /** ISO 3166-1 country of phone numbers written without one. */
  readonly country?: string | undefined;
};

export type BulkCheckReply = {
  readonly success: true;
  /** Entities submitted. */
  readonly total: number;
  /** Entities judged: what the batch costs. */
  readonly processed: number;
  readonly results: readonly BulkRow[];
  /** Sentences about skipped entries. */
  readonly errors?: readonly string[];
  readonly processingTimeMs: number;
};

export type BulkLimits = {
  readonly endpoint: string;
  readonly method: 'POST';
  readonly description: string;
  readonly authentication: string;
  readonly limits: {
    /** Plan and billing, or the plan alone where the billing is not known. */
    readonly currentPlan: string;
    /** How many entities this caller may send at once. */
    readonly maxEntitiesPerRequest: number;
    readonly allPlans: {
      readonly FREE: number;
      readonly BASIC_MONTHLY: number;
      readonly BASIC_YEARLY: number;
      readonly PRO_MONTHLY: number;
      readonly PRO_YEARLY: number;
      readonly ENTERPRISE_MONTHLY: number;
      readonly ENTERPRISE_YEARLY: number;
    };
  };
};

export type BulkRow = {
  /** The first spelling that was sent, trimmed. */
  readonly entity: string;
  readonly type: 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'phone' | 'unknown';
  /** As `malicious` of /check: set by scanner-type evidence only; of an e-mail address or a phone number, as on their own routes. Beside an `error` it says nothing. */
  readonly isMalicious: boolean;
  readonly confidence?: number;
  /** How many sources list it as a threat now: blocklistHits of /check. */
  readonly sources: number;
  readonly categories: readonly string[];
  /** Absent for an unknown hash. */
  readonly riskScore?: number;
  /** Absent for an unknown hash. */
  readonly riskLevel?: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  /** What the level is called; riskScore.word of /check. */
  readonly word?: string;
  /** `not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file. */
  readonly recommendedAction?: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  readonly analystStatus?: string;
  readonly observedAt?: string;
  /** As in /check; null at `basic` and beside an `error`. */
  readonly evidence: Evidence | null;
  /** What the entity is, where a listing says so. */
  readonly infrastructure?: {
    readonly attributes: readonly string[];
  };
  /** As in /check. */
  readonly service?: Service;
  /** As in /check. */
  readonly lookalike?: Lookalike;
  /** As in /check. An extension. */
  readonly organization?: OrganizationWord;
  /** File hashes only. */
  readonly lookupStatus?: 'known' | 'unknown';
  /** As in /check. */
  readonly malwareFamily?: string;
  /** As in /check. */
  readonly malwareFamilies?: readonly string[];
  /** The network of an address, or of a URL on one. From local data. */
  readonly asn?: number;
  /** What that network is called. */
  readonly asnName?: string;
  /** As in `geo` of /check, of an address or of a URL on one. */
  readonly countryCode?: string;
  /** As in `dataTrust` of /check; absent where null there. */
  readonly firstSeen?: string;
  /** As in `dataTrust` of /check; absent where null there. */
  readonly lastSeen?: string;
  /** Why this entity was not judged. Such a row costs nothing. */
  readonly error: string | null;
};

export type CanaryProbe = {
  /** `indicator`: reported; `check`: seen by a check; `taxii`: seen in a collection; `webhook`: delivered. */
  readonly id: string;
  /** `silent`: no result for five minutes. */
  readonly status: 'passing' | 'failing' | 'silent';
  readonly lastAt: string | null;
  /** Of the last 24 hours. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Results of the last 24 hours. */
  readonly samples: number;
  /** Passed of all results of 30 days. */
  readonly share30d: number | null;
};

export type CaseVerification = {
  readonly ok: boolean;
  /** Pieces of evidence that are there. */
  readonly length: number;
  /** The first position, from 1, that does not fit or is missing; null when all fits. */
  readonly brokenAt: number | null;
  /** What does not fit. */
  readonly reason: string | null;
  /** Hash of the last piece; of the id of the case while there is none. */
  readonly head: string;
  /** The newest daily seal of this case that fits; later pieces are not sealed yet. */
  readonly sealed: {
    readonly day: string;
    readonly length: number;
    readonly hash: string;
  } | null;
};

export type Certificates = {
  readonly issuer: string;
  readonly subject: string;
  /** RFC 3339, UTC. */
  readonly validFrom: string;
  /** RFC 3339, UTC. */
  readonly validTo: string;
  readonly serialNumber: string;
  /** SHA-256, hexadecimal in pairs; null when only a log has it. */
  readonly fingerprint: string | null;
  /** Beyond the contract. */
  readonly names: readonly string[];
  /** Null: not seen on the host itself. Beyond the contract. */
  readonly isTrusted: boolean | null;
  /** Why it is not trusted. Beyond the contract. */
  readonly problem: string | null;
  /** From certificate transparency, newest first. Beyond the contract. */
  readonly history: readonly ({
    readonly issuer: string;
    readonly subject: string;
    /** RFC 3339, UTC. */
    readonly validFrom: string;
    /** RFC 3339, UTC. */
    readonly validTo: string;
    readonly serialNumber: string;
    readonly fingerprint: string | null;
  })[];
  /** How many the logs hold. Beyond the contract. */
  readonly total: number;
};

export type CertificatesLookup = {
  readonly certificates: Certificates | null;
  /** Why there is no answer, or only an old one. Beyond the contract. */
  readonly message?: string;
};

export type CheckEvent = {
  readonly type: 'reputation';
  readonly data: {
    readonly query: string;
    readonly type: 'ip' | 'domain' | 'url' | 'hash';
    /** Set by scanner-type evidence only; feed listings alone never set it. */
    readonly malicious: boolean;
    readonly blocklistHits: number;
    readonly blocklistListed: boolean;
    readonly sources: readonly SourceEntry[];
    /** Present only when a listing says what the indicator is. */
    readonly infrastructure?: Infrastructure;
    /** The known service that the value, or the host of the URL, belongs to. Beyond the contract. */
    readonly service?: Service;
    /** Of a domain that resembles an often imitated one; adds no points by itself. Beyond the contract. */
    readonly lookalike?: Lookalike;
    /** Of a domain whose organization ransomware groups claim as a victim: context that adds no points. Beyond the contract. */
    readonly ransomwareClaims?: RansomwareClaims;
    /** What your organization reported of it; only its members see it. An extension. */
    readonly organization?: OrganizationWord;
    /** Of an address, or of a URL on one. Beyond the contract. */
    readonly network?: AnnouncedNetwork;
    readonly reputation: Reputation;
    /** File hashes only. Unknown: no source has seen it, which is no clean verdict. */
    readonly lookupStatus?: 'known' | 'unknown';
    /** The family that most independent lists name, weighed by reliability. Beyond the contract. */
    readonly malwareFamily?: string;
    /** Every family that lists name, in one spelling, strongest first. Beyond the contract. */
    readonly malwareFamilies?: readonly string[];
    /** The verdict, which is one for the whole stream: `insights` repeats it. Beyond the contract. */
    readonly verdict: {
      readonly riskScore: RiskScore;
      readonly confidence: Confidence;
      readonly classification: Classification;
      readonly evidence: Evidence;
      readonly mitre: Mitre;
      readonly crossCorrelation: CrossCorrelation;
      /** Origins that accuse it and do not copy each other: lists of one operator count once. */
      readonly independentSources: number;
    };
    /** What each entry of `sources` lists, in the same order. Beyond the contract. */
    readonly listings: readonly ListedValue[];
    /** How many sources cover this kind of indicator, and how many list it. Beyond the contract. */
    readonly coverage: Coverage;
    /** Outside services of the live lookups that cover this value; both lists are empty for a reserved one. Beyond the contract. */
    readonly lookups: LookupPlan;
    /** Parts of this phase whose lookup failed or was too slow; each is null. */
    readonly degraded?: readonly string[];
  };
} | {
  readonly type: 'basic';
  readonly data: {
    readonly geo: Geo | null;
    readonly whois: Whois | null;
    readonly certificates: Certificates | null;
    readonly vulnerabilities: Vulnerabilities | null;
    /** Parts of this phase whose lookup failed or was too slow; each is null. */
    readonly degraded?: readonly string[];
  };
} | {
  readonly type: 'insights';
  readonly data: {
    readonly riskScore: RiskScore;
    readonly confidence: Confidence;
    readonly classification: Classification;
    readonly mitre: Mitre;
    /** Of an address whose network is known. */
    readonly asnReputation?: {
      readonly asn: number;
      /** By a list of networks that serve crime; one of hosting companies does not count. */
      readonly listed: boolean;
      /** Id of that source. */
      readonly list: string | null;
      /** Points of riskScore that come from it. */
      readonly score: number;
    };
    /** Completeness is of what had come by then. */
    readonly dataTrust: DataTrust;
    readonly evidence: Evidence;
  };
} | {
  readonly type: 'dns';
  readonly data: {
    readonly hasSPF: boolean | null;
    readonly hasDMARC: boolean | null;
    /** Best effort over common selectors; null: none was found, which proves nothing. */
    readonly hasDKIM: boolean | null;
    readonly nameserverCount: number | null;
    readonly isParked: boolean | null;
    readonly a: readonly string[];
    readonly aaaa: readonly string[];
    readonly mx: readonly ({
      readonly exchange: string;
      readonly priority: number;
    })[];
    readonly ns: readonly string[];
    /** Parts of this phase whose lookup failed or was too slow; each is null. */
    readonly degraded?: readonly string[];
  };
} | {
  readonly type: 'enrichment';
  readonly data: {
    readonly otx?: CommunityIntel | null;
    readonly timeline?: Timeline | null;
    readonly relatedInfrastructure?: RelatedInfrastructure | null;
    readonly technologies?: readonly ({
      readonly name: string;
      readonly version: string | null;
      readonly category: string;
      /** The sign that revealed it: header:server, meta:generator, cpe … */
      readonly source: string;
    })[] | null;
    /** The value is also the SHA-1 or NTLM hash of a breached password. Never bears on the verdict. */
    readonly pwnedPassword?: PwnedPassword;
    /** Parts that arrived after `basic` was sent. Beyond the contract. */
    readonly late?: {
      /** Of the address, or of the first one a name leads to; null where nothing is known. */
      readonly geo?: Geo | null;
      /** Of the address, or the registrable domain; null where not available. */
      readonly whois?: Whois | null;
      /** Of the host; null where not available. */
      readonly certificates?: Certificates | null;
      /** Of an address; null where not available, which is not "none". */
      readonly vulnerabilities?: Vulnerabilities | null;
    };
    /** Parts of this phase whose lookup failed or was too slow; each is null. */
    readonly degraded?: readonly string[];
  };
} | {
  readonly type: 'done';
  readonly data: {
    readonly apiVersion: 'v2';
    readonly enrichmentLevel: 'full';
    /** Milliseconds. */
    readonly processingTime: number;
  };
} | {
  readonly type: 'error';
  /** In the place of `done`. */
  readonly data: {
    readonly error: string;
    readonly message: string;
  };
};

export type CheckResult = {
  /** What was judged, normalised. Beyond the contract. */
  readonly query?: string;
  /** Null when parameters were sent and none of them is a target: nothing was judged, and `malicious: false` is no verdict. Absent otherwise. Beyond the contract. */
  readonly target?: null;
  /** With `target: null`: the mistake in the parameters. */
  readonly message?: string;
  /** Set by scanner-type evidence only; feed listings alone never set it. */
  readonly malicious: boolean;
  /** Threat lists that name it now; lists of advertisers and trackers do not count. */
  readonly blocklistHits?: number;
  readonly blocklistListed?: boolean;
  /** Every list that names it, a range around it or a domain above it, one entry a list. */
  readonly sources?: readonly SourceEntry[];
  /** Present only when a listing says what the indicator is. */
  readonly infrastructure?: Infrastructure;
  /** The known service that the value, or the host of the URL, belongs to. Beyond the contract. */
  readonly service?: Service;
  /** Of a domain that resembles an often imitated one; adds no points by itself. Beyond the contract. */
  readonly lookalike?: Lookalike;
  /** Of a domain whose organization ransomware groups claim as a victim: context that adds no points. Beyond the contract. */
  readonly ransomwareClaims?: RansomwareClaims;
  /** What your organization reported of it; only its members see it. An extension. */
  readonly organization?: OrganizationWord;
  readonly reputation?: Reputation;
  /** From standard on. */
  readonly riskScore?: RiskScore;
  /** From standard on. */
  readonly confidence?: Confidence;
  /** From standard on. */
  readonly classification?: Classification;
  /** From standard on: techniques of MITRE ATT&CK that go with what it is accused of. Beyond the contract. */
  readonly mitre?: Mitre;
  /** From standard on. Beyond the contract. */
  readonly crossCorrelation?: CrossCorrelation;
  /** Of the address, or of the first one a name leads to; null where nothing is known. */
  readonly geo?: Geo | null;
  /** Of the address, or the registrable domain; null where not available. */
  readonly whois?: Whois | null;
  /** Of the host; null where not available. */
  readonly certificates?: Certificates | null;
  /** Of an address; null where not available, which is not "none". */
  readonly vulnerabilities?: Vulnerabilities | null;
  /** From standard on; absent when the community has no entry or did not answer. */
  readonly otx?: CommunityIntel;
  /** At full: of a name. Beyond the contract. */
  readonly dns?: DnsFacts;
  /** At full: what the host runs. Beyond the contract. */
  readonly technologies?: readonly ({
    readonly name: string;
    readonly version: string | null;
    readonly category: string;
    /** The sign that revealed it: header:server, meta:generator, cpe … */
    readonly source: string;
  })[];
  /** At full. Beyond the contract. */
  readonly timeline?: Timeline;
  /** At full. Beyond the contract. */
  readonly relatedInfrastructure?: RelatedInfrastructure;
  readonly apiVersion: 'v2';
  /** The level applied. */
  readonly enrichmentLevel: 'fast' | 'basic' | 'standard' | 'full';
  /** Null at basic. */
  readonly dataTrust?: DataTrust | null;
  /** Null at basic. */
  readonly evidence?: Evidence | null;
  /** At fast: the facets that were not looked up. At standard and full: those whose lookup goes on behind the answer; ask again for them, or read the stream. An extension. */
  readonly pending?: readonly ('dns' | 'whois' | 'geo' | 'certificates' | 'otx' | 'circl' | 'vulnerabilities' | 'technologies' | 'reputation')[];
  /** File hashes only. Unknown: no source has seen it, which is no clean verdict. */
  readonly lookupStatus?: 'known' | 'unknown';
  /** File hashes only: a list of known-good files holds it. Beyond the contract. */
  readonly knownGood?: true;
  /** The family that most independent lists name, weighed by reliability. Beyond the contract. */
  readonly malwareFamily?: string;
  /** Every family that lists name, in one spelling, strongest first. Beyond the contract. */
  readonly malwareFamilies?: readonly string[];
  /** File hashes only. Beyond the contract. */
  readonly hashInfo?: HashInfo;
  /** File hashes only: the strongest of `categories`. Beyond the contract. */
  readonly threatType?: string;
  /** File hashes only: what current lists accuse it of, strongest first. Beyond the contract. */
  readonly categories?: readonly string[];
  /** The value is also the SHA-1 or NTLM hash of a breached password. Never bears on the verdict. */
  readonly pwnedPassword?: PwnedPassword;
};

export type CheckoutBody = {
  readonly plan: 'BASIC' | 'PRO' | 'ENTERPRISE';
  readonly billing: 'MONTHLY' | 'YEARLY';
};

export type ClaimedKey = {
  readonly apiKey: string;
  /** Shown this once and stored nowhere. */
  readonly apiSecret: string;
  /** The header to send. */
  readonly authHeader: string;
  readonly quota: {
    readonly requestsPerMonth: number;
    /** A minute. */
    readonly burst: number;
  };
  readonly account: {
    readonly id: string;
  };
};

export type Classification = {
  /** safe, suspicious, malware, phishing, c2, botnet, ransomware, spam, scam, fraud, bruteforce, scanner, abuse, tracking, attack or unknown. */
  readonly primary: string;
  readonly secondary: readonly string[];
  /** Beyond the contract. */
  readonly confidence: number;
  /** What the class rests on. Beyond the contract. */
  readonly indicators: readonly ({
    readonly type: string;
    readonly category: string;
    readonly description: string;
    readonly weight: number;
  })[];
};

export type CommunityIntel = {
  readonly source: string;
  readonly fetchedAt: string;
  readonly pulseCount: number;
  readonly moreCount: number;
  readonly reputationScore: number | null;
  readonly pulses: readonly ({
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly tlp: string | null;
    readonly modified: string | null;
    readonly references: readonly string[];
    readonly authorUsername: string | null;
    readonly subscriberCount: number | null;
    readonly pulseUrl: string;
  })[];
  /** Addresses at full. */
  readonly labsReputation?: {
    readonly source: string;
    readonly fetchedAt: string;
    readonly score: number | null;
    readonly countryName: string | null;
    readonly malwareSampleCount: number | null;
    readonly urlCount: number | null;
  };
  /** Addresses and domains at full. */
  readonly passiveDns?: {
    readonly source: string;
    readonly fetchedAt: string;
    readonly totalRecords: number;
    readonly moreCount: number;
    readonly records: readonly ({
      readonly hostname: string;
      readonly address: string;
      readonly recordType: string;
      readonly firstSeen: string | null;
      readonly lastSeen: string | null;
    })[];
  };
  /** File hashes at full. */
  readonly fileAnalysis?: {
    readonly source: string;
    readonly fetchedAt: string;
    readonly fileClass: string | null;
    readonly fileType: string | null;
    readonly size: number | null;
    readonly yara: readonly string[];
    readonly plugins: readonly string[];
    readonly moreCount: number;
  };
};

export type Confidence = {
  readonly score: number;
  readonly level: 'low' | 'medium' | 'high';
  /** One sentence. Beyond the contract. */
  readonly explanation: string;
};

export type ConfirmBody = {
  /** Used for verification only: it is neither stored nor logged. */
  readonly password?: string | undefined;
  /** The six digits of the authenticator app. */
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
};

export type Confirmed = {
  /** Until then nothing has to be confirmed again. */
  readonly confirmedUntil: string;
};

export type ContactBody = {
  readonly name: string;
  readonly email: string;
  readonly subject?: string | undefined;
  readonly message: string;
  /** Leave it empty: a form with it is dropped. */
  readonly website?: string | undefined;
};

export type ContactFactor = {
  readonly name: string;
  readonly weight: number;
  readonly score: number;
  /** The contributions add up to the score. */
  readonly contribution: number;
  readonly description: string;
};

export type ContactRisk = {
  readonly score: number;
  /** inconclusive: nothing is known against it, which is not "safe". Never safe. */
  readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  /** What the level is called, as in /check. */
  readonly word: string;
  /** One sentence. */
  readonly summary: string;
};

export type ContactSource = {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly categories: readonly string[];
  /** Only `threat` accuses; the others say what the indicator is. */
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  /** How likely the list names harmless indicators. */
  readonly fpRisk: 'low' | 'medium' | 'high';
  /** Beyond the contract. */
  readonly tags: readonly string[];
  /** Confidence in the listing: 70 is enough alone, 60 confirms another. */
  readonly confidence: number;
};

export type Contradiction = {
  readonly type: string;
  readonly severity: 'low' | 'medium' | 'high';
  readonly title: string;
  readonly description: string;
};

export type Coverage = {
  readonly kind: 'ip' | 'domain' | 'url' | 'hash';
  /** Threat sources that could list something of this kind. */
  readonly sources: number;
  /** Of these, those that list it now. The others do not, which is no proof of good. */
  readonly listing: number;
  /** Of these, those whose data came on time. */
  readonly fresh: number;
  /** Those that could list it and do not, the most reliable first. No proof of good. */
  readonly silent: readonly SilentSource[];
};

export type CreateActionCaseRequest = {
  readonly description?: string | null | undefined;
  readonly entityType?: 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'phone' | 'cve' | null | undefined;
  readonly entityValue?: string | null | undefined;
  /** Id of an alert of the same account. */
  readonly linkedAlertId?: string | null | undefined;
  /** Id of a finding of the same account. */
  readonly linkedCveFindingId?: string | null | undefined;
  /** Id of a saved check of the same account. */
  readonly linkedReportId?: string | null | undefined;
  readonly priority?: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null | undefined;
  readonly title: string;
};

export type CreateKeyBody = {
  /** What the key is for. */
  readonly label?: string | undefined;
  /** Addresses the key may be used from. Absent or empty: those of the key you signed in with, or from anywhere. A session of a key with a list cannot make one that reaches beyond it. */
  readonly allowedCidrs?: readonly string[] | undefined;
  /** False: the pair cannot open a session, so it can never make keys. True when absent. */
  readonly canSignIn?: boolean | undefined;
};

export type CrossCorrelation = {
  /** Sources that confirm each other, and what speaks against them. */
  readonly signals: readonly ({
    readonly type: string;
    readonly severity: 'low' | 'medium' | 'high';
    readonly title: string;
    readonly description: string;
    readonly effect: 'confirms' | 'contradicts';
  })[];
  /** Points of `riskScore` that come from context and from no list. Already in it: do not add it. */
  readonly riskModifier: number;
  /** Points that a contradiction took from `confidence`. Already in it: do not add it. */
  readonly confidenceModifier: number;
  /** One sentence. */
  readonly summary: string;
};

export type Cve = {
  readonly id: string;
  /** A rejected CVE is answered here and nowhere else. Beyond the contract. */
  readonly state: 'PUBLISHED' | 'REJECTED';
  readonly title: string;
  readonly description: string | null;
  /** Of the chosen score; `UNKNOWN` where no source has one. */
  readonly severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE' | 'UNKNOWN';
  readonly cvssScore: number | null;
  readonly cvssVector: string | null;
  readonly cvssVersion: string | null;
  /** Probability of exploitation within 30 days, 0 to 1. */
  readonly epssScore: number | null;
  readonly epssPercentile: number | null;
  readonly epssPercent: number | null;
  readonly isKev: boolean;
  readonly kev: {
    readonly listed: boolean;
    readonly dateAdded: string;
    readonly dueDate: string | null;
    readonly requiredAction: string | null;
    readonly ransomwareUse: 'Known' | 'Unknown';
    readonly shortDescription: string | null;
  } | null;
  readonly ssvcExploitation: 'none' | 'poc' | 'active' | null;
  readonly exploitdbIds: readonly string[];
  readonly hasNucleiTemplate: boolean;
  /** Beyond the contract. */
  readonly metasploitModules: readonly string[];
  /** ATT&CK techniques that its exploitation was mapped to. Beyond the contract. */
  readonly techniques: readonly ({
    readonly id: string;
    readonly name: string | null;
    readonly relation: string;
  })[];
  readonly ghsaIds: readonly string[];
  readonly cwes: readonly string[];
  /** CPEs that a source calls vulnerable. */
  readonly cpes: readonly string[];
  readonly vendors: readonly string[];
  readonly products: readonly string[];
  readonly references: readonly ({
    readonly source: string;
    readonly url: string;
  })[];
  readonly published: string | null;
  readonly lastModified: string | null;
  /** All scores, the chosen one first. Beyond the contract. */
  readonly scores: readonly ({
    /** Who assigned it, by its own name. */
    readonly source: string;
    readonly version: '3.1' | '4.0' | '3.0' | '2.0' | null;
    readonly score: number;
    readonly severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE' | 'UNKNOWN';
    readonly vector: string | null;
  })[];
  /** The source of each field that has a value. Beyond the contract. */
  readonly provenance: {
    readonly [key: string]: string;
  };
  /** What changed, the newest last. Beyond the contract. */
  readonly changes: readonly ({
    readonly at: string;
    readonly field: 'state' | 'severity' | 'cvssScore' | 'isKev' | 'ssvcExploitation' | 'epssScore';
    readonly from: string | number | boolean | null;
    readonly to: string | number | boolean | null;
  })[];
};

export type CveAnswer = Cve | {
  readonly count: number | null;
  readonly days: 7;
  readonly cves: readonly CveItem[];
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** Only with `loaded: false`. Beyond the contract. */
  readonly message?: string;
} | {
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** Only with `loaded: false`. Beyond the contract. */
  readonly message?: string;
  readonly cves: readonly CveItem[];
  /** Send it as `cursor` for the next page; null on the last one. */
  readonly nextCursor: string | null;
};

export type CveItem = {
  readonly id: string;
  readonly title: string;
  readonly severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE' | 'UNKNOWN';
  readonly cvssScore: number | null;
  readonly epssScore: number | null;
  readonly isKev: boolean;
  readonly exploitation: 'none' | 'poc' | 'active' | null;
  readonly published: string | null;
  readonly lastModified: string | null;
  readonly vendors: readonly string[];
  readonly products: readonly string[];
};

export type CveNames = {
  readonly items: readonly ({
    readonly name: string;
    readonly count: number;
  })[];
  /** How many names there are that fit. */
  readonly total: number | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** Only with `loaded: false`. Beyond the contract. */
  readonly message?: string;
};

export type CveTimeseries = readonly ({
  /** The first day of the bucket. */
  readonly day: string;
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
  /** Without a severity in any source. Beyond the contract. */
  readonly unscored: number;
  /** Of these, in the KEV catalogue. */
  readonly kev: number;
  /** Of these, with reported exploitation. */
  readonly active_exploit: number;
})[];

export type CveWatchComponent = {
  readonly id: string;
  readonly vendor: string;
  readonly product: string;
  readonly version: string | null;
  readonly cpe: string | null;
  readonly purl: string | null;
  readonly ecosystem: string | null;
  readonly direct: boolean;
};

export type CveWatchFinding = {
  readonly id: string;
  readonly perimeterId: string;
  /** The finding in one sentence; known exploitation comes before the severity. Beyond the contract. */
  readonly summary: string;
  readonly component: CveWatchComponent;
  /** Of a possible finding: the most urgent of its CVEs. */
  readonly cveId: string;
  /** A confirmed finding is about one CVE, a possible one about all CVEs that may concern the component. Beyond the contract. */
  readonly cveCount: number;
  /** How many of them are known to be exploited. Beyond the contract. */
  readonly knownExploitedCount: number;
  /** The most urgent of them, at most 50. Beyond the contract. */
  readonly cveIds: readonly string[];
  readonly status: 'OPEN' | 'ACKNOWLEDGED' | 'PATCHED' | 'NOT_AFFECTED' | 'SNOOZED';
  readonly priority: 'P1' | 'P2' | 'P3';
  /** `possible`: versions cannot be compared, because the component has none, it cannot be ordered, or the CVE states none. A component has at most one open possible finding. Beyond the contract. */
  readonly confidence: 'confirmed' | 'possible';
  /** In the catalog of known exploited vulnerabilities. Read it before `severity`. */
  readonly isKev: boolean;
  readonly exploitation: 'none' | 'poc' | 'active' | null;
  readonly severity: 'UNKNOWN' | 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  readonly cvssScore: number | null;
  readonly epssScore: number | null;
  readonly fixedVersion: string | null;
  readonly snoozedUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type CveWatchPerimeter = {
  readonly id: string;
  readonly name: string;
  readonly kind: 'domain' | 'dependencies' | 'manual';
  /** Of a domain perimeter. Beyond the contract. */
  readonly domain: string | null;
  readonly componentCount: number;
  readonly openFindings: {
    readonly P1: number;
    readonly P2: number;
    readonly P3: number;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastScanAt: string | null;
  /** What was not checked. Without a finding and with a gap, vulnerabilities may be there. Beyond the contract. */
  readonly coverage: {
    readonly complete: boolean;
    readonly gaps: readonly ({
      /** `ecosystem`: data of its packages is missing or old. `products`: data of products is. `product`: no CVE names it. `exploitation`: the KEV catalog is missing or old. `version`: components without one. `scan`: not scanned yet. `components`: none. `lookups`: hosts were not looked up. */
      readonly kind: 'ecosystem' | 'products' | 'product' | 'exploitation' | 'version' | 'scan' | 'components' | 'lookups';
      /** The ecosystem, the product or the data set; empty for other kinds. */
      readonly name: string;
      readonly components: number;
      readonly message: string;
    })[];
  };
};

export type DataFreshness = {
  readonly generatedAt: string;
  /** `fresh`: every data set is. `stale`: more than half are not, or there is none. `degraded`: in between. */
  readonly overallStatus: 'fresh' | 'degraded' | 'stale';
  /** One per source in use, per loaded type of breached passwords and per publication (`blocklists`, `taxii`, `mmdb`), the worst first. */
  readonly datasets: readonly DatasetStatus[];
  /** What the operator should do now. */
  readonly actions: readonly string[];
  /** Data sets that list something now, counted as in /stats. Beyond the contract. */
  readonly sourceCount: number;
};

export type DataOpsPipeline = {
  readonly generatedAt: string;
  /** In the order they run. What publishes does so at its own times, for all sources together. */
  readonly phases: readonly ({
    readonly id: string;
    readonly label: string;
    /** What runs it. */
    readonly command: string;
    readonly produces: readonly string[];
    /** Without it the data gets older. */
    readonly requiredForSla: boolean;
  })[];
  /** Every source has its own interval, so there is no round of all of them: this is the run that started last, of whichever source. `{}` before the first. */
  readonly lastRun: PipelineRun | { readonly [key: string]: unknown };
  readonly freshnessApiPath: string;
  readonly backofficePath: string;
};

export type DataTrust = {
  /** RFC 3339, UTC. */
  readonly observedAt: string;
  /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
  readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
  readonly dataAgeHours: number | null;
  /** When a source that accuses first listed it; null: none does. */
  readonly firstSeen: string | null;
  /** When such a source last saw it. */
  readonly lastSeen: string | null;
  /** Newest data of the sources that list it, else of those that could have. */
  readonly lastUpdated: string | null;
  readonly sourceAgreement: {
    /** Independent origins: lists of one operator count once. */
    readonly count: number;
    readonly weightedStrength: number;
    readonly level: 'none' | 'weak' | 'moderate' | 'strong';
    readonly scannerDetections: number;
    readonly scannerSuspicious: number;
    readonly scannerClean: number;
  };
  readonly sources: readonly ({
    readonly name: string;
    readonly type: string;
    /** Beyond the contract. */
    readonly category: string;
    /** Beyond the contract. */
    readonly threatClass: string;
    readonly reliability: number;
    readonly reliabilityLevel: 'low' | 'medium' | 'high';
    readonly noiseProfile: 'precise' | 'contextual' | 'noisy';
  })[];
  readonly completeness: {
    /** Share of the eight facets that are present. */
    readonly score: number;
    readonly present: readonly ('reputation' | 'sources' | 'whois' | 'geo' | 'certificates' | 'dns' | 'vulnerabilities' | 'otx')[];
    readonly missing: readonly ('reputation' | 'sources' | 'whois' | 'geo' | 'certificates' | 'dns' | 'vulnerabilities' | 'otx')[];
    /** Of each facet that is present: the date of its newest data. Stale also where an upstream fails and what it said before is shown. Beyond the contract. */
    readonly facetFreshness: {
      readonly reputation?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly sources?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly whois?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly geo?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly certificates?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly dns?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly vulnerabilities?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
      readonly otx?: {
        readonly fetchedAt: string | null;
        /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
        readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
        readonly dataAgeHours: number | null;
      };
    };
  };
  readonly providerAgreement: {
    readonly status: 'agreement' | 'disagreement' | 'unknown';
    readonly summary: string;
    readonly contradictorySignals: readonly Contradiction[];
  };
  /** State of the data this answer is of: corpus sequence, versions of context and signals, model version. Equal ids judge alike. An extension. */
  readonly snapshotId: string;
};

export type DatasetStatus = {
  /** The source, or the data that is no source, such as `pwned-passwords-sha1`. */
  readonly id: string;
  readonly label: string;
  /** `failing`: the last attempt was refused or failed, and the last good content is still served. `stale`: the data is older than slaHours, or its publisher has not been asked for too long. `missing`: never loaded. */
  readonly status: 'fresh' | 'stale' | 'missing' | 'failing';
  /** Date of the data itself, by its publisher's account; not of our download. */
  readonly lastUpdatedAt: string | null;
  readonly ageHours: number | null;
  /** Hours after which the data is called stale: 30 intervals, at least 14 days. */
  readonly slaHours: number;
  /** Entries listed now. */
  readonly records: number | null;
  /** Why it is not fresh, that its dates were moved, or how old an own list is. */
  readonly message: string | null;
  /** What its entries are called. Beyond the contract. */
  readonly category: string;
  /** Beyond the contract. */
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  /** The kind of reason why it is not fresh; null when it is fresh. Beyond the contract. */
  readonly cause: 'key' | 'refused' | 'gone' | 'busy' | 'publisher' | 'unreachable' | 'content' | 'rolled-back' | 'ours' | 'waiting' | 'overdue' | 'old' | 'expired' | null;
  /** The part of `message` that sources with the same problem share. Beyond the contract. */
  readonly reason: string | null;
  /** An operator imported it: it does not age, and slaHours does not apply. Beyond the contract. */
  readonly ownList?: boolean;
  /** When the period of an own list is over; null: it does not expire. Beyond the contract. */
  readonly expiresAt?: string | null;
  /** By how many days its dates were moved when it was imported; 0: not moved. Beyond the contract. */
  readonly movedDays: number;
  /** Only for data that each node has a copy of: true when the copies are not the same. Beyond the contract. */
  readonly nodesDiffer?: boolean;
};

export type Deletion = {
  readonly id: string;
  readonly deletedAt: string;
  /** Erased then. */
  readonly restorableUntil: string;
};

export type DnsFacts = {
  readonly hasSPF: boolean;
  readonly hasDMARC: boolean;
  /** Best effort over common selectors; null: none was found, which proves nothing. */
  readonly hasDKIM: boolean | null;
  readonly nameserverCount: number;
  readonly isParked: boolean;
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  readonly mx: readonly ({
    readonly exchange: string;
    readonly priority: number;
  })[];
  readonly ns: readonly string[];
  /** Beyond the contract. */
  readonly spf: string | null;
  /** Beyond the contract. */
  readonly dmarc: string | null;
  /** Beyond the contract. */
  readonly dmarcPolicy: 'none' | 'quarantine' | 'reject' | null;
  /** Can it take mail: an MX that is not the null MX of RFC 7505, or an address without any MX. */
  readonly mxValid: boolean;
  /** Of its mail security. Beyond the contract. */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
};

export type EmailReport = {
  readonly email: Mailbox;
  readonly domain: string;
  readonly localPart: string;
  readonly riskScore: {
    readonly score: number;
    /** inconclusive: nothing is known against it, which is not "safe". Never safe. */
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
    /** What the level is called, as in /check. */
    readonly word: string;
    /** One sentence. */
    readonly summary: string;
    readonly factors: readonly ContactFactor[];
  };
  /** Threat lists that name the address itself. */
  readonly listings: {
    readonly listed: boolean;
    readonly count: number;
    /** Names. */
    readonly sources: readonly string[];
  };
  readonly domainReputation: {
    /** By the lists that name its domain; null: none does, which is not "clean". */
    readonly threatLevel: 'low' | 'medium' | 'high' | 'critical' | null;
    /** How many threat lists name its domain. */
    readonly sources: number;
    /** The domain offers throw-away mailboxes. */
    readonly disposable: boolean;
  };
  readonly validation: {
    /** Always true: invalid syntax is answered 400. */
    readonly syntaxValid: boolean;
    /** The domain can receive mail; false also for a null MX (RFC 7505). Null: not known, no name server answered. */
    readonly mxValid: boolean | null;
  };
  readonly mailSecurity: {
    /** It publishes an SPF record. Null: not known, no name server answered. */
    readonly hasSPF: boolean | null;
    /** It says what to do with forgeries. Null: not known, no name server answered. */
    readonly hasDMARC: boolean | null;
    /** Best effort over common selectors. Null: none was found, or none was looked for. */
    readonly hasDKIM: boolean | null;
    /** Null: not known. */
    readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null;
  };
  /** The address itself. */
  readonly address: string;
  /** Never clean: an unlisted contact is unknown. */
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  readonly malicious: boolean;
  /** `not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file. */
  readonly recommendedAction: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  /** found: a list names it. */
  readonly lookupStatus: 'found' | 'unknown';
  readonly dataTrust: DataTrust | null;
  readonly evidence: Evidence;
  /** Sentences, strongest first. */
  readonly reasons: readonly string[];
  /** The often imitated name that its domain resembles; null for none. */
  readonly lookalike: {
    readonly brand: string;
    readonly technique: 'typosquat' | 'homoglyph' | 'tld' | 'combosquat' | 'subdomain';
  } | null;
  /** Null: the registry was not queried, did not answer or does not publish it. */
  readonly domainAge: {
    /** RFC 3339, UTC. */
    readonly createdDate: string;
    readonly days: number;
  } | null;
  /** No source of breaches is configured in this version. */
  readonly breaches: null;
  /** Null: no name server was queried, or none answered. */
  readonly dns: {
    readonly mx: readonly string[];
    readonly spf: string | null;
    readonly dmarc: string | null;
    readonly dmarcPolicy: 'none' | 'quarantine' | 'reject' | null;
  } | null;
  readonly apiVersion: 'v2';
  readonly enrichmentLevel: 'fast' | 'basic' | 'standard' | 'full';
};

export type EmailResult = {
  readonly email: string;
  readonly domain: string;
  readonly localPart: string;
  readonly riskScore: {
    readonly score: number;
    /** inconclusive: nothing is known against it, which is not "safe". Never safe. */
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
    /** What the level is called, as in /check. */
    readonly word: string;
    /** One sentence. */
    readonly summary: string;
    readonly factors: readonly ContactFactor[];
  };
  /** Threat lists that name the address itself. */
  readonly listings: {
    readonly listed: boolean;
    readonly count: number;
    /** Names. */
    readonly sources: readonly string[];
  };
  readonly domainReputation: {
    /** By the lists that name its domain; null: none does, which is not "clean". */
    readonly threatLevel: 'low' | 'medium' | 'high' | 'critical' | null;
    /** How many threat lists name its domain. */
    readonly sources: number;
    /** The domain offers throw-away mailboxes. */
    readonly disposable: boolean;
  };
  readonly validation: {
    /** Always true: invalid syntax is answered 400. */
    readonly syntaxValid: boolean;
    /** The domain can receive mail; false also for a null MX (RFC 7505). Null: not known, no name server answered. */
    readonly mxValid: boolean | null;
  };
  readonly mailSecurity: {
    /** It publishes an SPF record. Null: not known, no name server answered. */
    readonly hasSPF: boolean | null;
    /** It says what to do with forgeries. Null: not known, no name server answered. */
    readonly hasDMARC: boolean | null;
    /** Best effort over common selectors. Null: none was found, or none was looked for. */
    readonly hasDKIM: boolean | null;
    /** Null: not known. */
    readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null;
  };
  readonly apiVersion: 'v1';
  readonly enrichmentLevel: 'fast' | 'basic' | 'standard' | 'full';
};

export type EpssStatistics = {
  /** Ten buckets; none while no scores are loaded. */
  readonly distribution: readonly ({
    readonly bucket: string;
    readonly min: number;
    readonly max: number;
    readonly count: number;
  })[];
  readonly top: readonly ({
    readonly id: string;
    readonly epssScore: number;
    readonly epssPercentile: number | null;
    readonly cvssScore: number | null;
    readonly severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE' | 'UNKNOWN';
    readonly isKev: boolean;
    readonly exploitation: 'none' | 'poc' | 'active' | null;
    readonly published: string | null;
  })[];
  readonly summary: {
    /** CVEs that have a score. */
    readonly total: number | null;
    readonly matching: number | null;
    readonly mean: number | null;
    readonly median: number | null;
    readonly p95: number | null;
    readonly above10pct: number | null;
    readonly above50pct: number | null;
    readonly kevCount: number | null;
    readonly activeExploitCount: number | null;
    readonly modelDate: string | null;
  };
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** Only with `loaded: false`. Beyond the contract. */
  readonly message?: string;
};

export type Evidence = {
  /** The level, or unknown where the level is inconclusive. */
  readonly verdict: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'unknown';
  readonly score: number;
  /** Beyond the contract. */
  readonly confidence: {
    readonly score: number;
    readonly level: 'low' | 'medium' | 'high';
  } | null;
  /** RFC 3339, UTC. */
  readonly observedAt: string;
  /** Sentences, strongest first. */
  readonly reasons: readonly string[];
  readonly contradictorySignals: readonly Contradiction[];
  readonly sourceSummary: {
    readonly count: number;
    readonly weightedStrength: number;
    readonly highReliabilityCount: number;
    readonly noiseWarnings: readonly string[];
  };
  /** By the age of the data itself: up to 24 hours, up to 7 days, older, or not known. */
  readonly freshness: 'fresh' | 'recent' | 'stale' | 'unknown';
  /** Beyond the contract. */
  readonly dataAgeHours: number | null;
  /** `not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file. */
  readonly recommendedAction: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  readonly analystStatus: 'new' | 'in_review' | 'confirmed' | 'dismissed';
};

export type EvidenceDay = {
  readonly day: string;
  /** SHA-256 over the heads of all chains of evidence of that day, in hex. */
  readonly root: string;
  /** How many heads it covers. */
  readonly accounts: number;
};

export type ExportedCase = {
  readonly format: 'assay-case/1';
  readonly exportedAt: string;
  readonly case: {
    readonly id: string;
    /** Who opened it. */
    readonly userId: string;
    readonly organizationId: string | null;
    readonly title: string;
    readonly description: string | null;
    readonly status: 'OPEN' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED';
    readonly priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
    readonly entityType: 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'phone' | 'cve' | null;
    readonly entityValue: string | null;
    readonly linkedAlertId: string | null;
    readonly linkedCveFindingId: string | null;
    readonly linkedReportId: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
  };
  readonly chain: {
    /** Hexadecimal. */
    readonly first: string;
    /** Hexadecimal. */
    readonly head: string;
    readonly length: number;
  };
  readonly evidence: readonly ({
    readonly id: string;
    readonly kind: string;
    readonly title: string;
    readonly description: string | null;
    readonly payload: {
      readonly [key: string]: unknown;
    };
    readonly createdAt: string;
    /** SHA-256 of the hash before and the piece in RFC 8785 form, in hexadecimal. Beyond the contract. */
    readonly hash: string;
    readonly position: number;
    /** What was hashed after the hash before; null where the stored piece was damaged. */
    readonly text: string | null;
  })[];
  readonly verification: CaseVerification;
  readonly seal: {
    readonly day: string;
    /** The head of this case as it was sealed. */
    readonly headText: string;
    /** The sibling on each level of the Merkle tree, nearest first. */
    readonly headPath: readonly ({
      readonly side: 'left' | 'right';
      /** Hexadecimal. */
      readonly hash: string;
    })[];
    /** The seal of the account: `headPath` leads to its `headsRoot`. */
    readonly sealText: string;
    /** From the hash of the seal to the root; null until the root is written. */
    readonly path: readonly ({
      readonly side: 'left' | 'right';
      /** Hexadecimal. */
      readonly hash: string;
    })[] | null;
    /** The public root of the day. */
    readonly root: string | null;
  } | null;
};

export type FactorBody = {
  readonly ticket: string;
  /** The six digits of the authenticator app. */
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
  /** One of the recovery codes. It works once. */
  readonly recoveryCode?: string | undefined;
};

export type FactorList = {
  readonly passkeys: readonly Passkey[];
  /** Whether codes of an authenticator app are set up and confirmed. */
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
};

export type FactorNeeded = {
  readonly signedIn: false;
  /** Any one of them. */
  readonly factorNeeded: readonly ('totp' | 'passkey' | 'recovery')[];
  /** For POST /api/auth/factor. It opens one session. */
  readonly ticket: string;
  readonly expiresAt: string;
};

export type FamilyPage = {
  readonly counts: MemberCounts;
  /** The latest first sightings, 100 at a time. Absent when the cursor belongs to `worst`. */
  readonly newest?: MemberList;
  /** The highest scores among those examined, 100 at a time. Absent when the cursor belongs to `newest`. */
  readonly worst?: MemberList;
  /** Its normal form. */
  readonly family: string;
  /** How sources write it, at most 50 of the spellings. */
  readonly words: readonly string[];
  /** The sources that name it, most listings first. */
  readonly sources: readonly ({
    readonly id: string;
    readonly name: string;
    readonly category: string;
    readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
    /** At least this many where `counts.isPartial` is true. */
    readonly listings: number;
  })[];
};

export type FeedbackBody = {
  readonly message: string;
  readonly rating?: number | undefined;
  /** The page that the feedback is about. */
  readonly page?: string | undefined;
  readonly email?: string | undefined;
  /** Leave it empty: a form with it is dropped. */
  readonly website?: string | undefined;
};

export type FormReply = {
  readonly message: string;
};

export type GateInjectionSpan = {
  readonly start: number;
  readonly end: number;
  readonly family: string;
};

export type GateLink = {
  readonly url: string;
  /** The host of the link. */
  readonly entity: string;
  readonly verdict: 'clean' | 'suspicious' | 'malicious' | 'unknown';
  /** Threat lists that name the link or its host. */
  readonly sources: number;
};

export type GateQuota = {
  readonly meter: 'scans';
  readonly plan: string;
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  readonly percentage: number;
  readonly periodStart: string;
  readonly resetsAt: string;
  readonly billingIssue: boolean;
};

export type GateScan = {
  /** `allow` means that this scan has no objection, and no more. */
  readonly verdict: 'allow' | 'warn' | 'block';
  readonly injection: {
    readonly score: number;
    readonly families: readonly string[];
    /** Where they stand in the content, in UTF-16 units. */
    readonly spans: readonly GateInjectionSpan[];
  };
  readonly links: readonly GateLink[];
  readonly links_truncated: boolean;
  readonly mode: 'fast' | 'thorough';
  readonly source: GateLink | null;
  /** The content without the sentences and malicious links that were found; null where nothing was removed. */
  readonly sanitized_content: string | null;
  readonly latency_ms: number;
};

export type GateScanBody = {
  /** A text or a page that a program is about to read, up to 1 MiB. */
  readonly content: string;
  /** Where the content came from. */
  readonly source_url?: string | undefined;
  /** The same in another spelling. */
  readonly sourceUrl?: string | undefined;
  /** `fast`, when absent, reads the text as it stands. `thorough` also reads what a page hides and what is in base64. */
  readonly mode?: 'fast' | 'thorough' | undefined;
};

export type GateUrl = {
  readonly verdict: 'clean' | 'suspicious' | 'malicious' | 'unknown';
  readonly url: string;
  readonly entity: string;
  readonly sources: number;
  readonly latency_ms: number;
};

export type Geo = {
  readonly country: string | null;
  /** ISO 3166-1, two letters. */
  readonly countryCode: string | null;
  /** Null when the loaded file knows countries only. */
  readonly city: string | null;
  readonly region: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** The announcing network, unless the loaded file gives an ISP. */
  readonly isp: string | null;
  /** Beyond the contract. */
  readonly timezone: string | null;
  /** Beyond the contract. */
  readonly org: string | null;
  /** Number of the autonomous system. Beyond the contract. */
  readonly asn: number | null;
  /** Addresses only. Beyond the contract. */
  readonly network?: NetworkFlags;
};

export type HashInfo = {
  readonly hashType: 'md5' | 'sha1' | 'sha256';
  readonly hash: string;
  readonly md5?: string;
  readonly sha1?: string;
  readonly sha256?: string;
};

export type Health = {
  /** `degraded`: answering, with something missing. `down`: the database is away. */
  readonly status: 'operational' | 'degraded' | 'down';
  /** When the engines were last asked, at most a second ago. */
  readonly timestamp: string;
  readonly services: {
    readonly api: 'operational' | 'degraded' | 'down';
    /** `degraded`: it answers and accepts no writes, as during a failover: reads work, writes are 503. */
    readonly database: 'operational' | 'degraded' | 'down';
    readonly redis: 'operational' | 'degraded' | 'down';
  };
  /** How long ago the data of this node was known to be complete; null while it is loading. */
  readonly replicaContactAgeMs: number | null;
  /** The state of the loaded data, at most five seconds old. Of it only `late` changes `status`. Null while it cannot be read, which is degraded too. Beyond the contract. */
  readonly data: {
    /** As in /platform/data-freshness, which names each data set. */
    readonly status: 'fresh' | 'degraded' | 'stale';
    /** How many data sets are loaded and what is wrong with them. */
    readonly message: string;
    /** What should be there for download and is not, or not in its newest version: `blocklists`, `taxii`, `mmdb`. Each makes `status` degraded. */
    readonly late: readonly string[];
  } | null;
};

export type HistoryEvent = {
  readonly at: string;
  readonly type: 'listed' | 'delisted' | 'score_changed';
  /** Name of the list; with listed and delisted. */
  readonly source?: string;
  /** Level before; with score_changed. */
  readonly from?: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  /** Level after; with score_changed. */
  readonly to?: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
};

export type HistoryPoint = {
  readonly date: string;
  readonly score: number;
  readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  readonly blocklistHits: number;
  readonly malicious: boolean;
};

export type HistorySpan = {
  readonly sourceId: string;
  /** Name of the list. */
  readonly source: string;
  /** When the list first had it: the date that the list gives the entry, else the day on which it appeared there. */
  readonly first: string;
  /** False: nothing dates the entry. `first` is then the date of the data in which the list was first read; it may have been there long before. */
  readonly startKnown: boolean;
  /** When the list dropped it. Of an open span the last sighting that the list states, else the date of its data. */
  readonly last: string;
  /** The list has it now. */
  readonly open: boolean;
};

export type Infrastructure = {
  /** Distinct, sorted: tor-exit, vpn, proxy, cloud, cdn, crawler, sinkhole, bogon, allowlist … */
  readonly attributes: readonly string[];
  readonly sources: readonly ({
    readonly id: string;
    readonly name: string;
    readonly category: string;
    readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  })[];
  /** Other tags of these lists, sorted; absent when there are none. Beyond the contract. */
  readonly tags?: readonly string[];
};

export type InstantKey = {
  readonly apiKey: string;
  /** Shown this once and stored nowhere. */
  readonly apiSecret: string;
  /** The header to send. */
  readonly authHeader: string;
  readonly quota: {
    readonly requestsPerMonth: number;
    /** A minute. */
    readonly burst: number;
  };
  /** A command that uses the key. */
  readonly example: string;
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly isClaimed: false;
    /** How the account becomes yours. */
    readonly claim: string;
  };
  readonly docs: string;
};

export type IntelOwlLookup = {
  /** accepted: submitted, ask again for the result; failed: the analysis itself failed. */
  readonly status: 'accepted' | 'completed' | 'failed';
  readonly query: string;
  readonly type: 'ip' | 'domain' | 'url' | 'hash';
  readonly cached: boolean;
  readonly jobId?: number;
  readonly fetchedAt: string;
  readonly analyzers: readonly ({
    readonly name: string;
    readonly status: string;
    readonly report: unknown;
  })[];
  /** By what analyzers evaluated; those that evaluate nothing count in `total` alone. */
  readonly summary: {
    readonly malicious: number;
    readonly suspicious: number;
    readonly clean: number;
    readonly total: number;
  };
};

export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
  /** A user id; null for an operator. */
  readonly invitedBy: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
};

export type InvitationBody = {
  readonly email: string;
  /** Owners are made of members, not invited. */
  readonly role: 'ADMIN' | 'MEMBER' | 'VIEWER';
};

export type InvitationList = {
  readonly invitations: readonly Invitation[];
};

export type JoinedOrganization = {
  readonly id: string;
  readonly name: string;
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
};

export type LicenseBody = {
  readonly name: string;
  readonly email: string;
  readonly company: string;
  /** What the licence is for. */
  readonly useCase: string;
  /** Leave it empty: a form with it is dropped. */
  readonly website?: string | undefined;
};

export type LicensedSource = {
  readonly id: string;
  readonly provider: string | null;
  readonly name: string;
  readonly type: string;
  /** Where the publisher offers it. */
  readonly url: string | null;
  /** `ok`, `stale` (old data) and `failing` (the last attempt brought nothing) as in /sources/statistics; `disabled`: switched off, or neither fetched nor ever loaded here. */
  readonly status: 'ok' | 'stale' | 'failing' | 'disabled';
  readonly category: string;
  readonly categories: readonly string[];
  readonly entityTypes: readonly string[];
  readonly format: 'text' | 'csv' | 'json' | 'hosts' | 'stix';
  readonly licenseMode: 'free' | 'api-key' | 'commercial';
  readonly tags: readonly string[];
  /** Prior reliability of the source, in percent. */
  readonly confidenceBase: number;
  readonly retentionDays: number;
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  readonly fpRisk: 'low' | 'medium' | 'high';
  readonly signal: 'feed' | 'scanner';
  readonly lastFetchedAt: string | null;
  readonly entries: number;
};

export type ListedApiKey = {
  readonly id: string;
  readonly apiKey: string;
  readonly label: string;
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  readonly allowedCidrs: readonly string[];
  /** Until when the secret from before the last rotation is accepted. */
  readonly previousSecretValidUntil: string | null;
  /** The key whose session made this one. Revoking that key revokes this one too. */
  readonly parentId: string | null;
  /** Whether the pair can open a session. */
  readonly canSignIn: boolean;
  /** Sessions that this pair opened and that have not ended. They end with the key. */
  readonly openSessions: number;
  /** Whether this pair opened the session that asks. */
  readonly opensThisSession: boolean;
};

export type ListedOrganization = {
  readonly id: string;
  readonly name: string;
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
  readonly createdAt: string;
  /** Shown to owners, who can restore it. */
  readonly deletedAt: string | null;
  readonly restorableUntil: string | null;
};

export type ListedValue = {
  readonly sourceId: string;
  /** What the source lists: the indicator itself, the range around it, the domain above it, the other digest. */
  readonly value: string;
  /** How the listed value relates to the one asked about: itself, a range around it, the same file under another digest, a domain above it or the host of the page. */
  readonly matchType: 'exact' | 'cidr' | 'alias' | 'parent';
  /** RFC 3339, UTC; null where it is not known. */
  readonly firstSeen: string | null;
  /** When the source last saw it; null where the source dates no sightings. */
  readonly lastSeen: string | null;
  /** The date of the data in which the source still lists it; null where it is not known. */
  readonly stillListedOn: string | null;
  /** Points of the score that come from it; 0 from what only describes. */
  readonly contribution: number;
};

export type Liveness = {
  readonly status: 'alive';
};

export type Location = {
  /** Null when the loaded files do not know the address, and for a name that leads nowhere or cannot be resolved. */
  readonly geo: Geo | null;
  /** Why there is no location or no city: the name could not be resolved, no location file is loaded, or it has no city. Beyond the contract. */
  readonly message?: string;
};

export type LoginBody = {
  readonly email: string;
  /** Used for verification only: it is neither stored nor logged. */
  readonly password: string;
};

export type Lookalike = {
  /** The imitated domain. */
  readonly of: string;
  readonly technique: 'typosquat' | 'homoglyph' | 'tld' | 'combosquat' | 'subdomain';
  /** One sentence. */
  readonly detail: string;
};

export type LookupPlan = {
  /** Asked about this value; their answers come with the later phases. */
  readonly asked: readonly ('dns' | 'rdap' | 'tls' | 'ct' | 'internetdb' | 'otx' | 'scanner' | 'web' | 'tenant' | 'intelowl')[];
  /** These cover this kind of value, and are turned off or not set up on this server. */
  readonly off: readonly ('dns' | 'rdap' | 'tls' | 'ct' | 'internetdb' | 'otx' | 'scanner' | 'web' | 'tenant' | 'intelowl')[];
};

export type MailAttachment = {
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly size: number;
  readonly inline: boolean;
  readonly digests: {
    readonly sha256?: string;
    readonly sha1?: string;
    readonly md5?: string;
  };
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  /** A list of known software holds it. */
  readonly knownGood: boolean;
  readonly family: string | null;
  readonly flags: readonly ('risky_extension' | 'double_extension' | 'type_mismatch' | 'disguised_program' | 'macro_project' | 'remote_template' | 'archive' | 'encrypted' | 'html_smuggling' | 'pdf_action')[];
  /** By its bytes; null in the structured form. */
  readonly detectedType: 'pe' | 'elf' | 'macho' | 'script' | 'ooxml' | 'ole' | 'pdf' | 'zip' | 'rar' | '7z' | 'html' | 'image' | 'text' | 'eml' | 'unknown' | null;
  /** Absent for the message itself. */
  readonly origin?: 'attached_message' | 'attachment';
  readonly originName?: string;
};

export type MailAuthentication = {
  /** `trusted`: from a header that you vouch for. */
  readonly status: 'trusted' | 'unverified';
  readonly spf?: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';
  readonly dkim?: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';
  readonly dmarc?: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';
  readonly headerFrom?: string;
};

export type MailContact = {
  readonly value: string;
  readonly kind: 'email' | 'phone' | 'crypto';
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  /** Threat lists that name it. */
  readonly sources: number;
  /** Absent for the message itself. */
  readonly origin?: 'attached_message' | 'attachment';
  readonly originName?: string;
};

export type MailContext = {
  /** The name under which your receiving system writes Authentication-Results. */
  readonly authservId?: string | undefined;
  /** The topmost Authentication-Results within the trusted hops is yours, whatever its name. */
  readonly trustAuthenticationResults?: boolean | undefined;
  /** Received headers from the top that your systems wrote; 1 when absent. */
  readonly trustedHops?: number | undefined;
  /** The address that connected to you, in place of the one in Received. */
  readonly connectingIp?: string | undefined;
};

export type MailCoverage = {
  readonly ran: readonly string[];
  readonly skipped: readonly ({
    readonly check: string;
    readonly reason: string;
  })[];
  /** A limit was reached: the message was read in part and is not clean. */
  readonly truncated: boolean;
};

export type MailLink = {
  readonly url: string;
  readonly host: string;
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  /** Threat lists that name it. */
  readonly sources: number;
  readonly flags: readonly ('anchor_mismatch' | 'punycode' | 'ip_host' | 'credentials' | 'shortener' | 'brand_lookalike' | 'newly_registered')[];
  readonly anchorText: string | null;
  readonly shownDomain: string | null;
  /** Absent for the message itself. */
  readonly origin?: 'attached_message' | 'attachment';
  readonly originName?: string;
};

export type MailMessage = {
  /** In the order of the message, the topmost first. */
  readonly headers?: readonly ({
    readonly name: string;
    readonly value: string;
  })[] | undefined;
  readonly from?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly returnPath?: string | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  /** Their contents are not read. */
  readonly attachments?: readonly ({
    readonly filename?: string | undefined;
    readonly contentType?: string | undefined;
    readonly size?: number | undefined;
    readonly sha256?: string | undefined;
    readonly sha1?: string | undefined;
    readonly md5?: string | undefined;
    readonly inline?: boolean | undefined;
  })[] | undefined;
};

export type MailReason = {
  readonly code: 'attachment.known_malware' | 'link.listed' | 'sender.listed' | 'reply_to.listed' | 'ip.listed' | 'contact.listed' | 'attachment.disguised_program' | 'attachment.double_extension' | 'attachment.html_smuggling' | 'attachment.remote_template' | 'attachment.program' | 'attachment.macro_project' | 'attachment.archive_risky_entry' | 'attachment.type_mismatch' | 'attachment.encrypted' | 'attachment.pdf_action' | 'sender.brand_lookalike' | 'reply_to.brand_lookalike' | 'link.brand_lookalike' | 'headers.display_name_brand' | 'headers.display_name_address' | 'headers.disguised_text' | 'headers.reply_to_freemail' | 'headers.reply_to_elsewhere' | 'headers.return_path_mismatch' | 'headers.several_from' | 'sender.invalid_domain' | 'sender.disposable' | 'sender.platform' | 'sender.no_mail_authentication' | 'auth.dmarc_fail' | 'auth.spf_fail' | 'auth.dkim_fail' | 'link.anchor_mismatch' | 'link.anchor_mismatch_tracked' | 'link.credentials_in_url' | 'link.homograph' | 'link.ip_host' | 'link.shortener' | 'link.platform' | 'message.credential_form' | 'message.combination' | 'injection.detected' | 'injection.hidden';
  readonly severity: 'high' | 'medium' | 'low' | 'info';
  readonly summary: string;
  /** Hosts and addresses are defanged. */
  readonly evidence: string;
};

export type MailScanBody = {
  /** The raw message in base64, up to 10 MiB decoded. */
  readonly emlBase64?: string | undefined;
  /** The raw message as text. */
  readonly eml?: string | undefined;
  /** A message that you have parsed. */
  readonly message?: MailMessage | undefined;
  readonly context?: MailContext | undefined;
};

export type MailScanResult = {
  readonly verdict: 'malicious' | 'suspicious' | 'clean' | 'inconclusive';
  /** `deliver`: no objection from this scan. It never releases what another engine has quarantined. */
  readonly recommendedAction: 'quarantine' | 'review' | 'warn' | 'deliver';
  readonly riskScore: number;
  readonly headline: string;
  /** Strongest first. */
  readonly reasons: readonly MailReason[];
  readonly sender: MailSender;
  readonly authentication: MailAuthentication;
  readonly connectingIp: {
    readonly address: string;
    readonly verdict: 'malicious' | 'suspicious' | 'unknown';
    /** Threat lists that name it. */
    readonly sources: number;
    readonly listed: readonly string[];
  } | null;
  readonly links: readonly MailLink[];
  readonly attachments: readonly MailAttachment[];
  readonly contacts: readonly MailContact[];
  readonly injection: {
    readonly score: number;
    readonly families: readonly string[];
    readonly hiddenScore: number;
  };
  readonly coverage: MailCoverage;
  readonly latencyMs: number;
};

export type MailSender = {
  readonly address: string | null;
  readonly domain: string | null;
  readonly displayName: string | null;
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  readonly freeProvider: boolean;
  readonly disposable: boolean;
  /** Null: no name server was asked or none answered. */
  readonly mx: boolean | null;
  readonly returnPath: string | null;
  readonly replyTo: readonly string[];
  readonly posture: {
    readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
    readonly hasSpf: boolean;
    readonly hasDmarc: boolean;
    readonly hasMx: boolean;
    readonly dmarcPolicy: 'none' | 'quarantine' | 'reject' | null;
    readonly spfAll: string | null;
    /** No DMARC policy keeps others from using the domain. */
    readonly spoofable: boolean;
  } | null;
};

export type Mailbox = {
  readonly address: string;
  readonly localPart: string;
  readonly domain: string;
  readonly disposable: boolean;
  /** The provider is open to the public. */
  readonly freeProvider: boolean;
  /** Stands for a function, such as postmaster. */
  readonly roleAccount: boolean;
  /** What follows the plus. */
  readonly subaddress: string | null;
  /** The domain can receive mail. Null: not known, no name server answered. */
  readonly mx: boolean | null;
  readonly domainReputation: {
    /** found: a list names it. */
    readonly lookupStatus: 'found' | 'unknown';
    readonly malicious: boolean;
    readonly blocklistHits: number;
    readonly sources: readonly string[];
    /** What lists say the domain is. */
    readonly infrastructure: readonly string[];
  };
};

export type MailboxBody = {
  readonly email: string;
};

export type Member = {
  readonly value: string;
  readonly type: 'ip' | 'cidr' | 'domain' | 'url' | 'hash' | 'email' | 'asn' | 'crypto' | 'phone';
  /** Score, level, word and action as in /check without live lookups. Null for what /check does not take: ranges, e-mail addresses, networks, wallets and telephone numbers. */
  readonly score: number | null;
  readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | null;
  readonly word: string | null;
  readonly action: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore' | null;
  /** What current threat lists call it, strongest first. */
  readonly categories: readonly string[];
  /** Malware families and tools that current threat lists name for it, as in /check. */
  readonly families: readonly string[];
  /** How many threat lists name it now, as `blocklistHits` of /check. Null for what is not judged. */
  readonly sources: number | null;
  /** First sighting by the list of this page: the source, those that name the family, or the earliest of all threat lists. Read it with `dating`. */
  readonly firstSeen: string | null;
  /** What `firstSeen` is: the date that the source gives the entry (`own`), the day it first appeared in the list (`sighted`), or no date of the entry but that of the data (`undated`). */
  readonly dating: 'own' | 'sighted' | 'undated';
};

export type MemberBody = {
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
};

export type MemberCounts = {
  /** How many there are; with `isPartial` there are at least as many. */
  readonly listed: number;
  /** The newest of them, at most 2000, were judged. The counts below and the lists are of these. */
  readonly examined: number;
  /** True when not all of them were examined. */
  readonly isPartial: boolean;
  /** Entries of sources whose licence does not allow to pass them on: counted, and named only where another source lists them too. */
  readonly withheld: number;
  /** Only what /check judges; the sum may be below `examined`. */
  readonly byLevel: {
    readonly safe: number;
    readonly low: number;
    readonly medium: number;
    readonly high: number;
    readonly critical: number;
    readonly inconclusive: number;
  };
  /** The same by what the verdicts are called, worst level first; named services are one word, `Common service`. */
  readonly byWord: readonly ({
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
    readonly word: string;
    readonly count: number;
  })[];
  /** By what current threat lists call them, most first. One member may have several. */
  readonly byCategory: {
    readonly [key: string]: number;
  };
  /** By the malware family or tool that current threat lists name, most first, at most 50. */
  readonly byFamily: {
    readonly [key: string]: number;
  };
  readonly byType: {
    readonly ip?: number;
    readonly cidr?: number;
    readonly domain?: number;
    readonly url?: number;
    readonly hash?: number;
    readonly email?: number;
    readonly asn?: number;
    readonly crypto?: number;
    readonly phone?: number;
  };
  /** The first sightings of those examined, without undated entries. */
  readonly dates: {
    readonly earliest: string | null;
    readonly latest: string | null;
    /** How many have no date of their own. */
    readonly undated: number;
  };
};

export type MemberList = {
  readonly members: readonly Member[];
  /** Send it as `cursor` for the members that follow; null at the end. */
  readonly next: string | null;
};

export type MeterMonth = {
  readonly used: number;
  readonly limit: number;
  /** The first moment of the next month, UTC. */
  readonly resetsAt: string;
};

export type MeterUse = {
  readonly used: number;
  readonly limit: number;
};

export type Mitre = {
  readonly tactics: readonly ({
    readonly id: string;
    readonly name: string;
  })[];
  readonly techniques: readonly ({
    readonly id: string;
    readonly name: string;
    readonly url: string | null;
    readonly tactics: readonly string[];
  })[];
  readonly mitigations: readonly ({
    readonly id: string;
    readonly name: string;
  })[];
};

export type MmdbInfo = {
  /** False before the first build; then what only a file can tell is null. */
  readonly available: boolean;
  readonly databaseType: string;
  readonly description: {
    readonly en: string;
  };
  readonly languages: readonly string[];
  readonly binaryFormatMajorVersion: number;
  readonly binaryFormatMinorVersion: number;
  /** When it was built, in seconds. */
  readonly buildEpoch: number | null;
  /** 6: one tree holds both families. */
  readonly ipVersion: number;
  readonly nodeCount: number | null;
  /** Bits of a record of the search tree: 24, 28 or 32. */
  readonly recordSize: number | null;
  readonly sizeBytes: number | null;
  /** Of the whole file. */
  readonly sha256: string | null;
  /** The fields of a record. */
  readonly schema: readonly ({
    readonly name: string;
    readonly type: 'uint16' | 'string' | 'array of string';
    readonly description: string;
  })[];
};

export type NetworkFlags = {
  /** A list of clouds or hosting companies names it. */
  readonly isDatacenter: boolean;
  /** A list of Tor exits names it. */
  readonly isTor: boolean;
  /** A list of proxies or relays names it. */
  readonly isProxy: boolean;
  /** A list of VPN services names it. */
  readonly isVpn: boolean;
};

export type NetworkIntel = {
  readonly ip: string;
  readonly asn: {
    readonly asn: number;
    readonly name: string;
    readonly org: string;
    readonly country: string | null;
    readonly type: 'isp' | 'hosting' | 'business' | 'education' | 'government' | 'unknown';
  } | null;
  /** As in /threat-intel/asn. */
  readonly prefix: string | null;
  readonly geo: Geo | null;
  readonly network: NetworkFlags;
  readonly neighbourhood: {
    /** The /24 around an IPv4 address, the /48 around an IPv6 one. */
    readonly prefix: string;
    /** Addresses of a /24; /64s of a /48, because a /64 is what one customer gets. */
    readonly total: number;
    /** How many of them hold something that a threat source lists now. Null: no threat list for addresses is loaded. */
    readonly listed: number | null;
    readonly ratio: number | null;
  };
  /** Which data is not loaded on this service, and the command that loads it. Beyond the contract. */
  readonly message?: string;
  /** As in /check: absent when no list says what it is. */
  readonly infrastructure?: Infrastructure;
};

export type NewPasskeyBody = {
  /** How you will recognize it. */
  readonly label?: string | undefined;
  readonly passkey: PasskeyCreation;
};

export type NewTotp = {
  /** For typing into the app. Shown this once. */
  readonly secret: string;
  /** For a QR code. */
  readonly uri: string;
};

export type NewsletterBody = {
  readonly email: string;
  /** Leave it empty: a form with it is dropped. */
  readonly website?: string | undefined;
};

export type Onboarding = {
  /** Those that your account can take, in order. A step that was done stays done. */
  readonly steps: readonly ({
    readonly id: 'key' | 'check' | 'scan' | 'list' | 'member' | 'indicator' | 'reference';
    readonly label: string;
    readonly done: boolean;
  })[];
  /** When all steps were first seen done. It stays when a later plan adds a step. */
  readonly completedAt: string | null;
};

export type OnboardingTick = {
  /** `reference`. The others are ticked by what your account does. */
  readonly step: 'key' | 'check' | 'scan' | 'list' | 'member' | 'indicator' | 'reference';
  readonly done: boolean;
};

export type OpenedSession = {
  readonly id: string;
  /** Whether it is the session that asks. */
  readonly isCurrent: boolean;
  /** The account it works for: a user, or an organization. */
  readonly accountId: string;
  /** How it was opened. */
  readonly method: 'key' | 'password' | 'passkey' | 'sso';
  /** What was shown to open it. */
  readonly factors: readonly string[];
  readonly openedAt: string;
  /** To the minute. */
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  /** The client address it was opened from. */
  readonly address: string;
  readonly userAgent: string;
};

export type OrgIndicator = {
  readonly id: string;
  readonly entityType: 'ip' | 'domain' | 'hash';
  readonly value: string;
  readonly status: 'approved' | 'revoked';
  readonly category: string;
  readonly comment: string | null;
  readonly submittedBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revokedAt: string | null;
  /** Beyond the contract. */
  readonly disposition: 'block' | 'allow';
  /** Beyond the contract. */
  readonly reason: string | null;
  /** Beyond the contract. */
  readonly endsAt: string | null;
};

export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** Yours. */
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
  readonly members: number;
  readonly createdAt: string;
};

export type OrganizationBody = {
  /** Not unique, and identifies nothing. Without domains, IP addresses, URLs and email addresses, because invitations show it. */
  readonly name: string;
};

export type OrganizationList = {
  readonly organizations: readonly ListedOrganization[];
};

export type OrganizationMember = {
  readonly userId: string;
  readonly email: string;
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
  /** Where the membership comes from. */
  readonly origin: 'manual' | 'invitation' | 'sso' | 'directory';
  readonly joinedAt: string;
  readonly isYou: boolean;
};

export type OrganizationMembers = {
  readonly members: readonly OrganizationMember[];
};

export type OrganizationWord = {
  /** `block` counts as one source; `allow` is told and changes no points. */
  readonly disposition: 'block' | 'allow';
  readonly id: string;
  /** The reported value: this one, a range around it or a domain above it. */
  readonly matched: string;
  readonly matchType: 'exact' | 'cidr' | 'parent';
  readonly category: string;
  readonly reason: string | null;
  readonly since: string;
  readonly endsAt: string | null;
};

export type Passkey = {
  readonly id: string;
  readonly label: string;
  /** Whether it is on several devices of yours. */
  readonly isSynced: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

/** What `toJSON()` of the credential gives in the browser, for the options of POST /api/auth/passkey/options. */
export type PasskeyAssertion = {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | undefined;
  };
};

/** What `toJSON()` of the new credential gives in the browser. */
export type PasskeyCreation = {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
};

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()` in the browser. */
export type PasskeyCreationOptions = {
  readonly challenge: string;
  readonly rp: {
    readonly id: string;
    readonly name: string;
  };
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly displayName: string;
  };
  readonly pubKeyCredParams: readonly ({
    readonly alg: number;
    readonly type: 'public-key';
  })[];
  readonly timeout: number;
  readonly attestation: 'none';
  readonly excludeCredentials: readonly ({
    readonly id: string;
    readonly type: 'public-key';
    readonly transports: readonly string[];
  })[];
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly requireResidentKey: true;
    readonly userVerification: 'required';
  };
};

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()` in the browser. */
export type PasskeyRequestOptions = {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
  readonly userVerification: 'required';
  /** Empty: the authenticator offers its own. */
  readonly allowCredentials: readonly ({
    readonly id: string;
    readonly type: 'public-key';
    readonly transports: readonly string[];
  })[];
};

export type PasskeySignInBody = {
  readonly passkey: PasskeyAssertion;
};

export type PasswordRange = {
  readonly prefix: string;
  readonly mode: 'sha1' | 'ntlm';
  /** Digits 6 to 17 of a hash are compared. */
  readonly suffixLength: 12;
  /** Ordered by suffix. */
  readonly entries: readonly ({
    /** Digits 6 to 17 of a hash, in upper case. */
    readonly suffix: string;
    /** How often it was seen; 0 in padding, which stands for no hash. */
    readonly count: number;
  })[];
  /** Whose list it is. */
  readonly source: string;
  /** The date of the list. */
  readonly corpusUpdatedAt: string;
};

export type PasswordVerdict = {
  readonly indicatorType: 'password';
  readonly hashType: 'sha1' | 'ntlm';
  readonly exposed: boolean;
  /** `not_found` says nothing about the strength of the password. */
  readonly verdict: 'compromised' | 'not_found';
  /** How often it was seen in breaches. */
  readonly count: number;
  /** `rare`: seen 1 to 9 times, `common`: 10 to 999, `very_common`: 1,000 or more; null when not found. */
  readonly prevalence: 'rare' | 'common' | 'very_common' | null;
  readonly recommendation: string;
  /** Whose list it is. */
  readonly source: string;
  readonly sourceUrl: string;
  /** The date of the list. */
  readonly corpusUpdatedAt: string;
  readonly apiVersion: 'v2';
};

export type PhoneResult = {
  /** E.164; null when its country is not known. */
  readonly phone: string | null;
  /** As sent. */
  readonly input: string;
  readonly countryCallingCode: string | null;
  /** ISO 3166-1; null for a code of no country. */
  readonly countryCode: string | null;
  /** How the country was found: in the number, by `country`, or as a valid North American number. */
  readonly resolvedWith: 'e164' | 'country' | 'nanp' | null;
  readonly lineType: 'mobile' | 'fixed_line' | 'fixed_line_or_mobile' | 'toll_free' | 'premium_rate' | 'shared_cost' | 'voip' | 'personal_number' | 'pager' | 'uan' | 'voicemail' | 'unknown';
  /** Never clean: an unlisted contact is unknown. */
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  readonly malicious: boolean;
  /** `not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file. */
  readonly recommendedAction: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  /** found: a list names it. */
  readonly lookupStatus: 'found' | 'unknown';
  readonly dataTrust: DataTrust | null;
  readonly evidence: Evidence;
  readonly blocklistHits: number;
  readonly categories: readonly string[];
  readonly sources: readonly ContactSource[];
  readonly riskScore: ContactRisk;
  readonly factors: readonly ContactFactor[];
  readonly apiVersion: 'v2';
};

export type PipelineRun = {
  readonly id: string;
  /** A publisher that had nothing new is a success; a download put in quarantine is a failure. */
  readonly status: 'succeeded' | 'failed' | 'running';
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** So far, while it is running. */
  readonly durationMs: number;
  readonly phases: readonly ({
    readonly id: string;
    readonly status: string;
    readonly durationMs: number;
    readonly records: number | null;
  })[];
  /** Whose run it was. Beyond the contract. */
  readonly sourceId: string | null;
  /** Why it failed. Beyond the contract. */
  readonly reason: string | null;
};

export type PlanLimits = {
  /** Calls a minute with one key. Sessions and scans have minutes of their own. */
  readonly burstPerMinute: number;
  readonly checksPerMonth: number;
  /** Mail scans and the gate. */
  readonly scansPerMonth: number;
  /** In one request. */
  readonly bulkEntities: number;
  /** New, restored or changed ones of an organization. */
  readonly orgIndicatorsPerDay: number;
  /** Threat streams open at once. */
  readonly streams: number;
  /** Perimeters of CVE watch. */
  readonly watchPerimeters: number;
  /** Components in all perimeters. */
  readonly watchComponents: number;
  /** Endpoints of webhooks. */
  readonly webhooks: number;
  /** Values of monitoring. */
  readonly watchItems: number;
  readonly cases: number;
  /** Bytes of evidence in all cases. */
  readonly caseEvidenceBytes: number;
  /** Bytes of everything that the account stores, evidence included. */
  readonly storageBytes: number;
};

export type PlanTable = {
  readonly plans: readonly ({
    readonly plan: 'FREE' | 'BASIC' | 'PRO' | 'ENTERPRISE';
    /** Empty: it costs nothing. */
    readonly billings: readonly ('MONTHLY' | 'YEARLY')[];
    readonly limits: PlanLimits;
  })[];
};

export type PlatformStatus = {
  /** At most ten seconds ago. */
  readonly generatedAt: string;
  readonly status: 'operational' | 'degraded' | 'down';
  readonly services: {
    readonly api: 'operational' | 'degraded' | 'down';
    /** `degraded`: it answers and accepts no writes, as during a failover: reads work, writes are 503. */
    readonly database: 'operational' | 'degraded' | 'down';
    readonly redis: 'operational' | 'degraded' | 'down';
  };
  /** Data sets by state. Null while it cannot be read. */
  readonly freshness: {
    readonly overallStatus: 'fresh' | 'degraded' | 'stale';
    readonly fresh: number;
    readonly stale: number;
    readonly missing: number;
    readonly failing: number;
  } | null;
  /** Of the operators, with what ended in the last week. Null while they cannot be read. */
  readonly notices: readonly StatusNotice[] | null;
  /** Measured every minute through the public interface. Empty: no canary is set up. Null while it cannot be read. */
  readonly canary: readonly CanaryProbe[] | null;
  /** The newest days first; keep them to prove later that nothing was changed. Absent where this service keeps no evidence. */
  readonly evidenceRoots?: readonly EvidenceDay[] | null;
};

export type PublicStats = {
  /** Distinct indicators of every kind that an enabled threat source lists now. Advertising and tracker lists, and lists that only describe (infrastructure, policy, allow lists), do not count. */
  readonly totalThreats: number;
  readonly byType: {
    /** Of these, domain names. */
    readonly domains: number;
    /** Of these, IP addresses and address ranges; a range counts once. */
    readonly ips: number;
  };
  /** Listings, not indicators: one that two sources add counts twice. Counted by whole hours. Entries that nothing dates, as in the first load of a list without dates, are left out. */
  readonly recentActivity: {
    /** Listings of threat sources that began in the last 24 hours: by the date that the source gives the entry, else the day on which it appeared in the list. */
    readonly last24h: number;
    /** The same in the last seven days. */
    readonly last7d: number;
    /** Percent by which last7d differs from the seven days before; 0 when nothing began then. */
    readonly growthRate: number;
  };
  /** Distinct indicators that any enabled source lists now, threat or not. Beyond the contract. */
  readonly indicators: number;
  /** Enabled sources that list something now. Beyond the contract. */
  readonly sourceCount: number;
  /** Of these sources, those whose data is not older than the interval they promise allows. Beyond the contract. */
  readonly freshSourceCount: number;
  /** Date of the newest data among these sources; null when there is none. Beyond the contract. */
  readonly newestDataAt: string | null;
  /** An address to try a check with: of all addresses with level high or critical by their own listings, one that the most sources list. Counted at most once an hour; null when there is none. Beyond the contract. */
  readonly accusedExample: {
    /** An IPv4 address. */
    readonly value: string;
    /** Threat sources that list it. */
    readonly sourceCount: number;
  } | null;
};

export type PwnedPassword = {
  readonly hashType: 'sha1' | 'ntlm';
  /** How often the password was seen in breaches. */
  readonly count: number;
  readonly corpusUpdatedAt: string;
};

export type RangePage = {
  readonly counts: MemberCounts;
  /** The latest first sightings, 100 at a time. Absent when the cursor belongs to `worst`. */
  readonly newest?: MemberList;
  /** The highest scores among those examined, 100 at a time. Absent when the cursor belongs to `newest`. */
  readonly worst?: MemberList;
  readonly cidr: string;
  /** Who announces it, found at up to 256 evenly spaced addresses. Empty: no loaded table knows. */
  readonly networks: readonly ({
    readonly asn: number;
    readonly name: string;
    readonly prefix: string | null;
  })[];
  /** Listed ranges around it and inside it. */
  readonly ranges: readonly ({
    readonly cidr: string;
    /** Of ranges inside, only those that a threat source lists are named. */
    readonly relation: 'covers' | 'equals' | 'inside';
    readonly sources: readonly ({
      readonly id: string;
      readonly name: string;
      readonly category: string;
      readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
    })[];
  })[];
  /** True when more ranges inside it are listed. */
  readonly rangesTruncated: boolean;
  /** Why accusations inside it weigh less, and the list that says so. */
  readonly guards: readonly ({
    readonly guard: 'service' | 'shared-egress' | 'scanner' | 'anonymity' | 'known-good' | 'popularity' | 'platform' | 'named-service';
    readonly matched: string;
    readonly source: string;
  })[];
  /** What lists call the range: cloud, cdn, tor-exit, bogon … */
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  /** With `counts.isPartial` a lower bound. */
  readonly density: {
    /** An IPv6 customer gets a /64, so IPv6 ranges are counted in these. */
    readonly unit: 'address' | '/64';
    readonly total: number;
    /** How many hold an address that a threat source lists now. */
    readonly listed: number;
    readonly ratio: number;
  };
};

export type RansomwareClaims = {
  /** The domain that the claims name. */
  readonly domain: string;
  readonly total: number;
  /** The newest first. */
  readonly claims: readonly ({
    readonly group: string;
    /** The family of a group with generations. */
    readonly family: string | null;
    /** As the claim names it. */
    readonly victim: string;
    readonly discoveredAt: string;
  })[];
  /** What a claim is, and what it is not. */
  readonly note: string;
};

export type RansomwareFeed = {
  readonly victims: readonly RansomwareVictim[];
  /** Of all claims. */
  readonly total: number | null;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  readonly generatedAt: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareGroupProfile = {
  readonly name: string;
  /** The family that this group is, or is a generation of. Beyond the contract. */
  readonly family: string | null;
  /** Names that a family published under, each with its own claims. Beyond the contract. */
  readonly generations: readonly ({
    readonly name: string;
    /** Null: no claims are loaded on this service. */
    readonly victims: number | null;
    readonly firstClaimAt: string | null;
    readonly lastClaimAt: string | null;
  })[];
  /** Only names that a source gives. */
  readonly aliases: readonly string[];
  readonly description: string | null;
  /** `seized`: a source says that authorities hold its sites. `active`: a claim in 90 days. Null: no claims are loaded, or they are too old to call a group inactive. */
  readonly status: 'active' | 'inactive' | 'seized' | null;
  /** First claim. */
  readonly firstSeen: string | null;
  /** Last claim. */
  readonly lastSeen: string | null;
  /** Null: no claims are loaded on this service. */
  readonly victims: number | null;
  /** Null: no claims are loaded, or they are old. */
  readonly victims30d: number | null;
  readonly countries: readonly string[];
  readonly sectors: readonly string[];
  readonly locations: readonly ({
    /** Defanged. */
    readonly fqdn: string;
    readonly available: boolean | null;
    readonly lastCheckedAt: string | null;
  })[];
  readonly ttps: readonly ({
    /** Null while no ATT&CK data is loaded here. */
    readonly tacticId: string | null;
    readonly tactic: string | null;
    readonly techniqueId: string;
    readonly technique: string;
  })[];
  /** Empty: no source of this service names tools. */
  readonly tools: readonly string[];
  /** Empty: no source of this service names vulnerabilities. */
  readonly cves: readonly string[];
  /** A source keeps ransom notes of it. Null: no source of groups is loaded on this service. */
  readonly notes: boolean | null;
  /** Pages about the group; never its own. */
  readonly references: readonly string[];
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareGroups = {
  readonly groups: readonly ({
    readonly name: string;
    /** Of a group with generations, which are one entry with the totals of all. Beyond the contract. */
    readonly family: string | null;
    /** Names that a family published under, each with its own claims. Beyond the contract. */
    readonly generations: readonly ({
      readonly name: string;
      /** Null: no claims are loaded on this service. */
      readonly victims: number | null;
      readonly firstClaimAt: string | null;
      readonly lastClaimAt: string | null;
    })[];
    /** Null: no claims are loaded on this service. */
    readonly victims: number | null;
    /** `seized`: a source says that authorities hold its sites. `active`: a claim in 90 days. Null: no claims are loaded, or they are too old to call a group inactive. */
    readonly status: 'active' | 'inactive' | 'seized' | null;
    readonly countries: readonly string[];
    readonly sectors: readonly string[];
    /** Null where the claims are old. */
    readonly claims30d?: number | null;
    /** Null where the claims are old, or no group has a claim in that time. */
    readonly claimsPrev30d?: number | null;
    readonly lastClaimAt?: string;
    /** This and the three before are there for a group with claims, and absent for another. */
    readonly firstClaimAt?: string;
  })[];
  readonly total: number | null;
  /** Whether claims are loaded. */
  readonly activity: boolean;
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareLookup = {
  readonly query: string | null;
  readonly queryType: 'stats';
  readonly stats: {
    readonly totalVictims: number | null;
    readonly activeGroups: number | null;
    readonly attacksThisMonth: number | null;
    readonly attacksThisYear: number | null;
  };
  /** False: the data is not loaded on this service; `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** Date of the newest loaded claim; null without claims. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** True: no claims are loaded, or the newest is older than 14 days. Figures that end today are then null. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Beyond the contract. */
  readonly message: string;
} | {
  readonly query: string;
  readonly queryType: 'ip' | 'domain' | 'hash' | 'group' | 'keyword';
  /** The family of a group with generations: its name finds all of them. Beyond the contract. */
  readonly family: string | null;
  /** Null: nothing that could contain it is loaded on this service. */
  readonly found: boolean | null;
  /** False: the data is not loaded on this service; `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** `victim`: a group claims it. `ioc`: a list of ransomware indicators names it. `group`: it is a group. */
  readonly matches: readonly ({
    readonly kind: 'victim' | 'ioc' | 'group';
    readonly name: string;
    readonly group: string | null;
    readonly country: string | null;
    readonly countryBasis: {
      /** True: read from the name, the domain or articles by a rule of this service. */
      readonly inferred: boolean;
      /** Such as `name: hospital`; null where a tracker says it. */
      readonly rule: string | null;
    } | null;
    readonly sector: string | null;
    readonly sectorBasis: {
      /** True: read from the name, the domain or articles by a rule of this service. */
      readonly inferred: boolean;
      /** Such as `name: hospital`; null where a tracker says it. */
      readonly rule: string | null;
    } | null;
    readonly discoveredAt: string | null;
  })[];
  /** All claims that match; `matches` has the newest 100 at most. Null: not loaded. Beyond the contract. */
  readonly total: number | null;
  /** Groups of all matching claims. */
  readonly groups: readonly string[];
  /** Date of the newest loaded claim; null without claims. Beyond the contract. */
  readonly dataAsOf: string | null;
  readonly message: string;
};

export type RansomwarePress = {
  readonly entries: readonly ({
    readonly title: string;
    readonly url: string;
    /** Host of the article. */
    readonly source: string;
    readonly publishedAt: string;
    readonly id: string;
    /** Groups that claimed this victim near that date. */
    readonly groups: readonly string[];
    /** Whom the article names. */
    readonly victim: string | null;
  })[];
  readonly total: number | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareSectorDetail = {
  readonly sector: string;
  /** `inconclusive`: no claims are loaded, the newest is older than 14 days, or fewer than 20 % of the last 30 days have a sector. */
  readonly riskLevel: 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  /** Null: `riskLevel` is `inconclusive`. */
  readonly score: number | null;
  readonly victims30d: number | null;
  readonly victimsPrev30d: number | null;
  /** Null: inconclusive, or the 30 days before were not counted. */
  readonly trend: 'up' | 'down' | 'flat' | null;
  /** Of the last 30 days. */
  readonly topGroups: readonly string[];
  readonly countries: readonly string[];
  readonly recentVictims: readonly RansomwareVictim[];
  /** Only with the press flag. */
  readonly press?: readonly ({
    readonly title: string;
    readonly url: string;
    /** Host of the article. */
    readonly source: string;
    readonly publishedAt: string;
  })[];
  /** How many claims have a sector: the others are in no sector figure. Beyond the contract. */
  readonly coverage: {
    readonly claims: number;
    readonly withSector: number;
    /** Of these, with a sector that a rule inferred. */
    readonly sectorInferred: number;
    /** Of the last 30 days. */
    readonly claims30d: number;
    readonly withSector30d: number;
  } | null;
  /** Date of the newest data; null before the first load. */
  readonly updatedAt: string | null;
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareSectorHistory = {
  readonly days: number;
  readonly sector: string | null;
  /** By day, then by sector. Without `sector`, those with claims in these days. */
  readonly points: readonly ({
    readonly date: string;
    readonly sector: string;
    /** Claimed on that day. Null: an inconclusive day without a known claim. */
    readonly victims: number | null;
    /** As of that day, over 30 days. */
    readonly score: number | null;
    /** `inconclusive`: no claims are loaded, the newest is older than 14 days, or fewer than 20 % of the last 30 days have a sector. */
    readonly riskLevel: 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  })[];
  /** How many claims have a sector: the others are in no sector figure. Beyond the contract. */
  readonly coverage: {
    readonly claims: number;
    readonly withSector: number;
    /** Of these, with a sector that a rule inferred. */
    readonly sectorInferred: number;
    /** Of the last 30 days. */
    readonly claims30d: number;
    readonly withSector30d: number;
  } | null;
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareSectorRisk = RansomwareSectorRisks | RansomwareSectorDetail;

export type RansomwareSectorRisks = {
  readonly sectors: readonly ({
    readonly sector: string;
    /** `inconclusive`: no claims are loaded, the newest is older than 14 days, or fewer than 20 % of the last 30 days have a sector. */
    readonly riskLevel: 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
    /** Null: `riskLevel` is `inconclusive`. */
    readonly score: number | null;
    readonly victims30d: number | null;
    readonly victimsPrev30d: number | null;
    /** Null: inconclusive, or the 30 days before were not counted. */
    readonly trend: 'up' | 'down' | 'flat' | null;
    /** Of the last 30 days. */
    readonly topGroups: readonly string[];
  })[];
  /** How many claims have a sector: the others are in no sector figure. Beyond the contract. */
  readonly coverage: {
    readonly claims: number;
    readonly withSector: number;
    /** Of these, with a sector that a rule inferred. */
    readonly sectorInferred: number;
    /** Of the last 30 days. */
    readonly claims30d: number;
    readonly withSector30d: number;
  } | null;
  /** Date of the newest data; null before the first load. */
  readonly updatedAt: string | null;
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareSectorVictims = {
  readonly sector: string;
  /** `inconclusive`: no claims are loaded, the newest is older than 14 days, or fewer than 20 % of the last 30 days have a sector. */
  readonly riskLevel: 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  readonly total: number | null;
  readonly victims: readonly RansomwareVictim[];
  /** How many claims have a sector: the others are in no sector figure. Beyond the contract. */
  readonly coverage: {
    readonly claims: number;
    readonly withSector: number;
    /** Of these, with a sector that a rule inferred. */
    readonly sectorInferred: number;
    /** Of the last 30 days. */
    readonly claims30d: number;
    readonly withSector30d: number;
  } | null;
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareStats = {
  readonly totalVictims: number | null;
  /** With a claim in 30 days. Null, as the four below, if the claims are old. */
  readonly activeGroups: number | null;
  /** Claims, by the UTC month. */
  readonly attacksThisMonth: number | null;
  readonly attacksThisYear: number | null;
  readonly last24h: number | null;
  readonly last7d: number | null;
  readonly topGroups: readonly ({
    readonly group: string;
    readonly count: number;
  })[];
  readonly topCountries: readonly ({
    readonly country: string;
    readonly count: number;
  })[];
  readonly topSectors: readonly ({
    readonly sector: string;
    readonly count: number;
  })[];
  readonly coverage: {
    readonly claims: number;
    readonly withSector: number;
    /** Of these, with a sector that a rule inferred. */
    readonly sectorInferred: number;
    readonly withCountry: number;
    readonly countryInferred: number;
  } | null;
  /** Date of the newest data; null before the first load. */
  readonly updatedAt: string | null;
  /** True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract. */
  readonly inconclusive: boolean;
  /** Date of the newest claim. Beyond the contract. */
  readonly dataAsOf: string | null;
  /** False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract. */
  readonly loaded: boolean;
  /** What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract. */
  readonly message?: string;
  /** What a claim is, and what it is not. */
  readonly disclaimer: string;
};

export type RansomwareVictim = {
  readonly id: string;
  /** As the claim names it, in a form that nothing interprets. */
  readonly victim: string;
  readonly group: string;
  /** The family of a group with generations, such as `lockbit`. Beyond the contract. */
  readonly family: string | null;
  readonly domain: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Where `country` comes from; null where it is null. Beyond the contract. */
  readonly countryBasis: {
    /** True: read from the name, the domain or articles by a rule of this service. */
    readonly inferred: boolean;
    /** Such as `name: hospital`; null where a tracker says it. */
    readonly rule: string | null;
  } | null;
  /** As a tracker says it, else inferred. */
  readonly sector: string | null;
  /** Where `sector` comes from; null where it is null. Beyond the contract. */
  readonly sectorBasis: {
    /** True: read from the name, the domain or articles by a rule of this service. */
    readonly inferred: boolean;
    /** Such as `name: hospital`; null where a tracker says it. */
    readonly rule: string | null;
  } | null;
  /** Of the earliest post. */
  readonly discoveredAt: string;
  /** Where a tracker gives one. */
  readonly attackDate: string | null;
  /** Defanged. */
  readonly claimUrl: string | null;
  /** The group's or the tracker's words. Text that a tracker marks as written by a model is left out. */
  readonly description: string | null;
  /** Only with the press flag. */
  readonly press?: readonly ({
    readonly title: string;
    readonly url: string;
    /** Host of the article. */
    readonly source: string;
    readonly publishedAt: string;
  })[];
  /** `reported`: an article near that date names the victim. `confirmed`: an operator of this service entered a reference. Beyond the contract. */
  readonly status: 'claimed' | 'reported' | 'confirmed';
  /** What the operator entered. Beyond the contract. */
  readonly reference: string | null;
  /** Who reported it. Beyond the contract. */
  readonly trackers: readonly ({
    readonly id: string;
    readonly firstSeenAt: string;
  })[];
  /** Claims of other groups on the same victim, at most a year apart. Beyond the contract. */
  readonly alsoClaimedBy: readonly ({
    readonly claimId: string;
    readonly group: string;
    readonly discoveredAt: string;
  })[];
};

export type Readiness = {
  readonly ready: boolean;
  /** `contact` is reported and does not make a node unready. */
  readonly checks: readonly ({
    readonly name: string;
    readonly ok: boolean;
    readonly message: string;
  })[];
  readonly replicaContactAgeMs: number | null;
};

export type RecoveryCodes = {
  /** Shown this once. Each works once, in place of the second factor. */
  readonly codes: readonly string[];
};

export type RegisterBody = {
  readonly email: string;
  /** 10 to 128 characters of any kind. Refused when it is in the list of breached passwords. */
  readonly password: string;
};

export type RelatedEntity = {
  readonly value: string;
  readonly type: 'ip' | 'domain';
  /** A threat list names it now. False is not "clean". */
  readonly listed: boolean;
  /** The level, or unknown where the level is inconclusive. */
  readonly verdict: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'unknown';
  /** What the verdict is called; riskScore.word of a check. Beyond the contract. */
  readonly word: string;
  /** When it was last seen to be related; null where a list alone says it exists. */
  readonly lastSeen: string | null;
};

export type RelatedInfrastructure = {
  /** Listed addresses of the same /24, or IPv6 /48. */
  readonly sameSubnet: readonly RelatedEntity[];
  /** Other listed addresses of the same announced range. */
  readonly sameASN: readonly RelatedEntity[];
  readonly sameRegistrar: readonly RelatedEntity[];
  readonly sameNameserver: readonly RelatedEntity[];
  readonly sharedCertificate: readonly RelatedEntity[];
  /** Names seen to lead to the address, or to an address of the name. */
  readonly resolvedDomains: readonly RelatedEntity[];
  /** How many there are in all, including those not shown. */
  readonly totalRelated: number;
  readonly riskAssessment: {
    /** Of its surroundings; never part of the score. For an address the share of listed addresses in the announced range: medium from 0.5 %, high from 9.4 %. For names: medium when a related one is listed, high from half of them. The worst counts. Unknown: nothing related is known. */
    readonly level: 'unknown' | 'low' | 'medium' | 'high';
    readonly reason: string;
  };
  readonly fetchedAt: string;
};

export type Report = {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly entityType: 'ip' | 'domain' | 'url' | 'hash' | 'email';
  readonly entityValue: string;
  /** The level of its score; `malicious` or `unknown` where it had none, `unknown` where its evidence says so. */
  readonly verdict: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | 'malicious' | 'unknown';
  readonly riskScore: number | null;
  readonly riskLevel: string | null;
  /** The word of the ladder in the result, such as "Not listed"; null where it had none. Beyond the contract. */
  readonly word: string | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  /** Who sent the result: a caller, or the service itself. */
  readonly origin: 'client' | 'server';
  readonly createdAt: string;
  readonly result: {
    readonly [key: string]: unknown;
  };
};

export type ReportSummary = {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly entityType: 'ip' | 'domain' | 'url' | 'hash' | 'email';
  readonly entityValue: string;
  /** The level of its score; `malicious` or `unknown` where it had none, `unknown` where its evidence says so. */
  readonly verdict: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | 'malicious' | 'unknown';
  readonly riskScore: number | null;
  readonly riskLevel: string | null;
  /** The word of the ladder in the result, such as "Not listed"; null where it had none. Beyond the contract. */
  readonly word: string | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  /** Who sent the result: a caller, or the service itself. */
  readonly origin: 'client' | 'server';
  readonly createdAt: string;
};

/** Counts of scanner-type sources. Four zeros: none of them answered, which is not "harmless". */
export type Reputation = {
  readonly malicious: number;
  readonly suspicious: number;
  readonly harmless: number;
  readonly undetected: number;
};

export type ReputationHistory = {
  readonly entity: string;
  readonly type: 'ip' | 'domain';
  readonly days: number;
  /** One a day, oldest first: the end of the day in UTC, today this moment. The last one is what `/check` answers now, without live lookups. */
  readonly points: readonly HistoryPoint[];
  /** Oldest first; the newest 500. `listed` has the date of the list, which may be before `retainedFrom`; a listing whose start nothing dates is only in `spans`. */
  readonly events: readonly HistoryEvent[];
  /** When each threat list named it, a range around it or a domain above it, oldest first. Spans that ended before the days asked for are left out. Beyond the contract. */
  readonly spans: readonly HistorySpan[];
  /** Earliest sighting by a threat list that names it. */
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  /** Mean score of the last week against that of the first; 5 points make a difference. */
  readonly trend: 'rising' | 'falling' | 'stable';
  /** Days before it are not in `points`: nothing is kept of them. Beyond the contract. */
  readonly retainedFrom: string | null;
};

export type ReputationResult = {
  readonly reputation: Reputation;
  /** Threat lists that name it now, as in `GET /check`. Beyond the contract. */
  readonly blocklistHits: number;
  /** The verdict of `GET /check`. Beyond the contract. */
  readonly riskScore: {
    readonly score: number;
    /** low 10-34, medium 35-59, high 60-84, critical 85-100. Below 10: safe where a list vouches for the value itself, else inconclusive. */
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
    /** What the verdict is called. Malicious if and only if `malicious` is true; without it Critical risk, High risk, Suspicious; at low Reported (a source lists it now), Reported long ago or Low suspicion (no source lists it). Otherwise Common service: NAME, Known good, Popular site, Old report, Weak report, Tracking only, Not listed, Not seen … Exceptions: Reserved address, Reserved name, Empty file, Test file, Vulnerable driver. The same on every surface. Beyond the contract. */
    readonly word: string;
  };
  /** One sentence about the counts, the lists and the verdict. Beyond the contract. */
  readonly message: string;
};

export type ResetBody = {
  /** From the link of the letter, after #token=. */
  readonly token: string;
  /** 10 to 128 characters of any kind. Refused when it is in the list of breached passwords. */
  readonly password: string;
};

export type RestoreBody = {
  readonly organizationId: string;
};

export type Restored = {
  readonly id: string;
  readonly name: string;
};

export type RevealedApiKey = {
  readonly id: string;
  readonly apiKey: string;
  readonly label: string;
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  readonly allowedCidrs: readonly string[];
  /** Until when the secret from before the last rotation is accepted. */
  readonly previousSecretValidUntil: string | null;
  /** The key whose session made this one. Revoking that key revokes this one too. */
  readonly parentId: string | null;
  /** Whether the pair can open a session. */
  readonly canSignIn: boolean;
  /** Shown this once and stored nowhere. */
  readonly apiSecret: string;
  /** The header to send: X-API-KEY: base64(apiKey:apiSecret). */
  readonly authHeader: string;
};

export type ReverseIp = {
  readonly ip: string;
  /** Names that were seen to lead to the address, the one seen last first. */
  readonly domains: readonly string[];
  /** How many there are in all; 100000 stands for that many or more. */
  readonly total_domains: number | null;
  /** True: there are more than these. */
  readonly truncated: boolean;
  /** When one of them was last seen; null when there is none. */
  readonly updatedAt: string | null;
  /** False: the data is not on this service. Figures are null, lists are empty, and `message` has the command or setting that changes it. Beyond the contract. */
  readonly loaded: boolean;
  /** Why figures are null, and what an operator can do. Beyond the contract. */
  readonly message?: string;
};

export type RiskBrief = {
  readonly id: string;
  readonly organizationId: string | null;
  /** A Monday, 00:00 UTC. */
  readonly periodStart: string;
  /** The Monday after it. */
  readonly periodEnd: string;
  readonly generatedAt: string;
  readonly score: number;
  /** Their points add up to the score. Beyond the contract. */
  readonly scoreParts: readonly ({
    readonly name: string;
    readonly count: number;
    readonly points: number;
    readonly detail: string;
    /** A path on the host of the dashboard. */
    readonly href: string;
  })[];
  /** low 0-34, medium 35-59, high 60-84, critical 85-100. */
  readonly riskLevel: 'low' | 'medium' | 'high' | 'critical';
  readonly headline: string;
  /** The most urgent things when the brief was made. */
  readonly highlights: readonly ({
    readonly title: string;
    readonly detail: string;
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** A path on the host of the dashboard. */
    readonly href: string;
  })[];
  readonly metrics: {
    readonly alertsOpened: number;
    readonly alertsResolved: number;
    readonly newFindings: number;
    /** Open when the brief was made. */
    readonly kevFindings: number;
    /** Changes of watched values. */
    readonly watchedChanges: number;
  };
  /** Where each figure of `metrics` is listed. Beyond the contract. */
  readonly links: {
    readonly [key: string]: string;
  };
  readonly recommendations: readonly string[];
};

export type RiskBriefReply = {
  readonly success: true;
  readonly data: RiskBrief | null;
  readonly timestamp: string;
  /** Why there is no brief, and when the next one is written. Beyond the contract. */
  readonly message?: string;
};

export type RiskScore = {
  readonly score: number;
  /** low 10-34, medium 35-59, high 60-84, critical 85-100. Below 10: safe where a list vouches for the value itself, else inconclusive. */
  readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
  /** What the verdict is called. Malicious if and only if `malicious` is true; without it Critical risk, High risk, Suspicious; at low Reported (a source lists it now), Reported long ago or Low suspicion (no source lists it). Otherwise Common service: NAME, Known good, Popular site, Old report, Weak report, Tracking only, Not listed, Not seen … Exceptions: Reserved address, Reserved name, Empty file, Test file, Vulnerable driver. The same on every surface. Beyond the contract. */
  readonly word: string;
  /** One sentence. Beyond the contract. */
  readonly summary: string;
  /** The contributions add up to the score. */
  readonly factors: readonly ({
    /** A source id, or what context did: service_range, popular … */
    readonly name: string;
    /** Strength of the listing, 0 to 1; 0 for what context did. */
    readonly weight: number;
    /** The same as points of 100. */
    readonly score: number;
    /** Points of the score; negative where context lowers it. */
    readonly contribution: number;
    readonly description: string;
  })[];
};

export type RotateKeyBody = {
  /** How long the old secret is still accepted; a day when absent, 0 ends it at once. */
  readonly overlapSeconds?: number | undefined;
};

export type SearchResults = {
  /** What was searched for. */
  readonly keywords: string;
  /** The names of `results`, in the same order: with `domain:` before each on the API host, bare below /api. */
  readonly hits: readonly string[];
  /** How many look-alikes were found; with `truncated` there are at least as many. */
  readonly total_hits: number;
  /** True when there are more than the 500 that are shown. */
  readonly truncated: boolean;
  readonly results: readonly ({
    /** A domain that a threat source lists now. */
    readonly value: string;
    readonly type: 'domain';
    /** How it passes for the brand; `exact`: it is the name that was searched for. */
    readonly technique: 'typosquat' | 'homoglyph' | 'tld' | 'combosquat' | 'subdomain' | 'exact';
    /** Its risk score, as in /check. The highest come first. */
    readonly score: number;
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    /** When a source last saw it. */
    readonly lastSeen: string;
  })[];
};

export type Service = {
  readonly name: string;
  readonly operator: string;
  /** An `api` has strangers acting through it, so it is named and vouches for nothing. */
  readonly kind: 'resolver' | 'name-server' | 'time' | 'crawler' | 'update' | 'sign-in' | 'mail' | 'certificate-status' | 'api';
};

export type SessionList = {
  readonly sessions: readonly OpenedSession[];
};

export type SignInBody = {
  /** The public half of a key pair. */
  readonly apiKey: string;
  /** The secret half. Used for verification only: it is neither stored nor logged. */
  readonly apiSecret: string;
};

export type SignedIn = {
  readonly signedIn: true;
  readonly account: {
    /** What pays: a user, or an organization. */
    readonly id: string;
    readonly userId: string;
    readonly email: string;
  };
  readonly organization: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** In the organization; null where there is none. */
  readonly role: string | null;
  readonly plan: string;
  /** The session ends then at the latest, and after 12 hours without use. */
  readonly expiresAt: string;
  /** Checks of this month. Asking costs nothing. */
  readonly usage: {
    readonly used: number;
    readonly limit: number;
    readonly resetsAt: string;
  };
  /** How many entities one bulk check may hold. */
  readonly bulkEntitiesMax: number;
};

export type SignedOut = {
  readonly signedIn: false;
};

export type SilentSource = {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** Reliability of the source as a percentage. Beyond the contract. */
  readonly confidenceBase: number;
  /** Its data came on time. */
  readonly fresh: boolean;
};

export type SourceEntry = {
  readonly id: string;
  readonly name: string;
  /** What it lists: ip, domain, url, hash, or mixed. */
  readonly type: string;
  readonly category: string;
  readonly categories: readonly string[];
  /** Only `threat` accuses; the others say what the indicator is. */
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  /** How likely the list names harmless indicators. */
  readonly fpRisk: 'low' | 'medium' | 'high';
  /** How the listed value relates to the one asked about: itself, a range around it, the same file under another digest, a domain above it or the host of the page. */
  readonly matchType: 'exact' | 'cidr' | 'alias' | 'parent';
  /** An operator has admitted the source. Beyond the contract. */
  readonly status: 'verified';
  /** Reliability of the source as a percentage. Beyond the contract. */
  readonly confidenceBase: number;
  /** How long an entry is kept. Beyond the contract. */
  readonly retentionDays: number;
  /** Beyond the contract. */
  readonly tags: readonly string[];
  /** Beyond the contract. */
  readonly entityTypes: readonly string[];
  /** How the source is published. Beyond the contract. */
  readonly format: 'text' | 'csv' | 'json' | 'hosts' | 'stix';
  /** What dates the entry: the source itself (`own`), the day it first appeared in the list (`sighted`), or nothing, because it was there when the list was first read (`undated`). Beyond the contract. */
  readonly dating: 'own' | 'sighted' | 'undated';
  /** The date the source gives the entry, RFC 3339; only where it gives one. Beyond the contract. */
  readonly reportedAt?: string;
  /** The day the entry first appeared in the list, where that dates it. Beyond the contract. */
  readonly listedSince?: string;
  /** Malware family or tool, in the word of the source. Beyond the contract. */
  readonly family?: string;
  /** Web address of the report that the source names. Written by strangers: look before you open it. Beyond the contract. */
  readonly reference?: string;
};

export type SourceFacts = {
  readonly id: string;
  readonly name: string;
  /** What it lists: ip, domain, url, hash, or mixed. */
  readonly type: string;
  readonly category: string;
  readonly categories: readonly string[];
  /** Only `threat` accuses; the others say what the indicator is. */
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  /** How likely the list names harmless indicators. */
  readonly fpRisk: 'low' | 'medium' | 'high';
  /** An operator has admitted the source. Beyond the contract. */
  readonly status: 'verified';
  /** Reliability of the source as a percentage. Beyond the contract. */
  readonly confidenceBase: number;
  /** How long an entry is kept. Beyond the contract. */
  readonly retentionDays: number;
  /** Beyond the contract. */
  readonly tags: readonly string[];
  /** Beyond the contract. */
  readonly entityTypes: readonly string[];
  /** How the source is published. Beyond the contract. */
  readonly format: 'text' | 'csv' | 'json' | 'hosts' | 'stix';
  /** Admiralty scale: from A, reliable, to E, unreliable; F is not rated. */
  readonly letter: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** The age of its data against its own interval, as in /platform/data-freshness. */
  readonly freshness: 'fresh' | 'stale' | 'unknown';
  /** The date of its data; null when nothing was loaded. */
  readonly dataAt: string | null;
  readonly entries: number;
  readonly licence: string | null;
  readonly attribution: string | null;
  /** False: its entries are counted and never named. */
  readonly redistributable: boolean;
  /** How many of its names are sites that people visit. Null for sources that list no threats. */
  readonly precision?: SourcePrecision | null;
};

export type SourcePage = {
  readonly counts: MemberCounts;
  /** The latest first sightings, 100 at a time. Absent when the cursor belongs to `worst`. */
  readonly newest?: MemberList;
  /** The highest scores among those examined, 100 at a time. Absent when the cursor belongs to `newest`. */
  readonly worst?: MemberList;
  readonly source: SourceFacts;
};

export type SourcePrecision = {
  /** The version of the weights that is in force. */
  readonly version: string;
  /** `removes`: it takes entries back. `keeps`: an archive, or it takes nearly nothing back. `unknown`: neither is shown. */
  readonly class: 'removes' | 'keeps' | 'unknown';
  /** Entries of 14 to 60 days that were looked at again after 30 days. */
  readonly judged: number;
  /** Of these, the share that left. Null: never measured. */
  readonly leftWithin30Days: number | null;
  /** Its names by age. Empty: none is counted, and the grade decides. */
  readonly cells: readonly ({
    /** How long the source has listed them: `fresh` up to 59 days, `mature` up to 364, `old` longer, `undated` unknown. */
    readonly age: 'fresh' | 'mature' | 'old' | 'undated';
    /** With entries that left and still count. */
    readonly entries: number;
    /** Sites that people visit, among them or below them. */
    readonly visited: number;
    /** One of so many entries is a site that people visit. */
    readonly oneIn: number;
    /** What one listing alone is worth, before its limits. */
    readonly points: number;
  })[];
};

export type SourceStatistics = {
  /** Every source of the registry, in use or not. */
  readonly totalSources: number;
  /** Sources in use: enabled, and fetched or loaded. */
  readonly activeSources: number;
  /** Active sources whose last attempt brought nothing. */
  readonly failingSources: number;
  /** Active sources by type. */
  readonly byType: {
    readonly [key: string]: number;
  };
  /** Active sources by category. */
  readonly byCategory: {
    readonly [key: string]: number;
  };
  /** Active sources by threat class. */
  readonly byThreatClass: {
    readonly [key: string]: number;
  };
  /** Distinct indicators that an enabled source lists now: `indicators` of /stats. */
  readonly totalIndicators: number;
  /** Sources that list something now, counted as in /stats. Beyond the contract. */
  readonly sourceCount: number;
  /** When the last content was taken in. */
  readonly lastIngestAt: string | null;
  /** The active ones. */
  readonly sources: readonly ({
    readonly id: string;
    readonly name: string;
    readonly entries: number;
    /** Entries that began in the last 24 hours: by the date that the source gives them, else the day on which they appeared in the list. */
    readonly added24h: number;
    /** Entries that the source dropped in the last 24 hours. */
    readonly removed24h: number;
    readonly lastFetchedAt: string | null;
    readonly status: 'ok' | 'stale' | 'failing';
  })[];
};

export type SourceStatisticsReply = {
  readonly success: true;
  readonly data: SourceStatistics;
  /** When these figures were computed, every five minutes. */
  readonly timestamp: string;
};

export type SsoBody = {
  /** The addresses of your members end with it. International names in their ASCII form. */
  readonly emailDomain: string;
  /** The issuer exactly as its discovery document names it. */
  readonly issuerUrl: string;
  readonly clientId: string;
  /** Absent: the stored one stays, unless the issuer or the client is another. Null: a public client without a secret. */
  readonly clientSecret?: string | null | undefined;
  /** People with addresses of the domain sign in with it alone. Possible after one sign-in. */
  readonly enforceSso: boolean;
  /** Possible once the domain is proven. */
  readonly enabled: boolean;
};

export type SsoConnection = {
  readonly emailDomain: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  /** The secret itself is never shown. */
  readonly hasClientSecret: boolean;
  readonly enforceSso: boolean;
  readonly enabled: boolean;
  /** The redirect URI to register with the identity provider. */
  readonly callbackUrl: string;
  /** The TXT record that proves the domain. Keep it: it is looked up every day. */
  readonly domainProof: {
    readonly name: string;
    readonly value: string;
    readonly provenAt: string | null;
  };
  /** The last sign-in with these settings. */
  readonly lastSignInAt: string | null;
};

export type SsoLookup = {
  readonly found: true;
  readonly organizationId: string;
  readonly domain: string;
} | {
  readonly found: false;
};

export type SsoLookupBody = {
  readonly email: string;
};

export type SsoSessionBody = {
  /** From the address of the page, after #token=. */
  readonly token: string;
};

export type SsoSettings = {
  /** Null where single sign-on is not set up. */
  readonly connection: SsoConnection | null;
};

export type StatusNotice = {
  readonly id: string;
  readonly severity: 'info' | 'maintenance' | 'incident';
  readonly title: string;
  readonly body: string;
  readonly startsAt: string;
  /** Null: it has not ended. */
  readonly endsAt: string | null;
};

export type SubmitBody = {
  readonly sources: readonly ({
    readonly name: string;
    /** What the list holds. */
    readonly type: 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'phone';
    /** Where the list can be fetched: an https address on the public internet, without user name or password. */
    readonly url: string;
    readonly category?: 'malware' | 'phishing' | 'spam' | 'scam' | 'fraud' | 'botnet' | 'ransomware' | 'c2' | undefined;
  })[];
};

export type SubmitReply = {
  readonly message: string;
  /** Different addresses in the request. All of them wait for an operator or have been decided before; sending them again changes nothing. */
  readonly submitted: number;
};

export type Subscription = {
  readonly plan: 'FREE' | 'BASIC' | 'PRO' | 'ENTERPRISE';
  /** Null: nothing is billed, or an operator assigned the plan. */
  readonly billing: 'MONTHLY' | 'YEARLY' | null;
  /** While suspended or canceled, checks and scans have the monthly limits of FREE. */
  readonly status: 'active' | 'trialing' | 'past_due' | 'suspended' | 'canceled';
  /** As they hold now: those of the plan, with the figures agreed for this account. */
  readonly limits: PlanLimits;
  /** Of this month. */
  readonly usage: {
    readonly checks: number;
    readonly scans: number;
    /** The first moment of the next month, UTC. */
    readonly resetsAt: string;
  };
  /** The end of what is paid for. Null where nothing is: on FREE, or when an operator assigned the plan. */
  readonly periodEnd: string | null;
};

export type SubscriptionMetrics = {
  readonly plan: 'FREE' | 'BASIC' | 'PRO' | 'ENTERPRISE';
  /** Checks. */
  readonly monthly: MeterMonth;
  readonly scans: MeterMonth;
  /** Calls a minute with one key. */
  readonly burst: {
    readonly limit: number;
  };
  /** Own indicators of an organization since 00:00 UTC. */
  readonly indicators: {
    readonly today: number;
    readonly limit: number;
  };
  /** Values of monitoring. */
  readonly watches: {
    readonly used: number;
    readonly limit: number;
  };
  /** Bytes that the account stores, as they were sent and with a fixed figure for each row. Beyond the contract. */
  readonly storage: {
    readonly used: number;
    readonly limit: number;
    /** What takes the space. */
    readonly byKind: {
      readonly report: number;
      /** With their evidence. */
      readonly case: number;
      /** Perimeters and components of CVE watch. */
      readonly inventory: number;
      readonly webhook: number;
      readonly watch: number;
      /** Own indicators of an organization. */
      readonly indicator: number;
      /** What is kept of requests with an Idempotency-Key, for a day. */
      readonly reply: number;
    };
  };
};

export type SwitchBody = {
  readonly accountId: string;
};

export type Tenant = {
  readonly provider: 'microsoft';
  readonly tenantId: string | null;
  readonly domain: string;
  readonly namespaceType: 'Managed' | 'Federated' | 'Unknown';
  readonly brandName: string | null;
  readonly region: string | null;
  readonly cloudInstance: string | null;
  readonly fetchedAt: string;
};

export type TenantLookup = {
  readonly tenant: Tenant | null;
  /** What was found, or why nothing was. */
  readonly message: string;
};

export type ThreatEvent = {
  readonly type: 'threat.new';
  readonly data: {
    /** The id of the event; send it as Last-Event-ID to resume after it. */
    readonly id: string;
    readonly occurredAt: string;
    /** The level; low for safe and inconclusive. */
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    readonly indicator: {
      readonly type: 'ip' | 'cidr' | 'domain' | 'url' | 'hash' | 'email';
      readonly value: string;
    };
    readonly score: number | null;
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | null;
    readonly sources: {
      /** Sources that accuse it now. */
      readonly count: number;
      /** The first twenty of them. */
      readonly names: readonly string[];
    };
    /** Since when a source is known to list it; null where nothing dates it. */
    readonly firstSeen: string | null;
    /** When a source last saw it; null where none dates sightings. */
    readonly lastSeen: string | null;
  };
} | {
  readonly type: 'threat.updated';
  readonly data: {
    /** The id of the event; send it as Last-Event-ID to resume after it. */
    readonly id: string;
    readonly occurredAt: string;
    /** The level; low for safe and inconclusive. */
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    readonly indicator: {
      readonly type: 'ip' | 'cidr' | 'domain' | 'url' | 'hash' | 'email';
      readonly value: string;
    };
    readonly score: number | null;
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | null;
    readonly sources: {
      /** Sources that accuse it now. */
      readonly count: number;
      /** The first twenty of them. */
      readonly names: readonly string[];
    };
    /** Since when a source is known to list it; null where nothing dates it. */
    readonly firstSeen: string | null;
    /** When a source last saw it; null where none dates sightings. */
    readonly lastSeen: string | null;
    readonly changed: readonly ('sources' | 'categories' | 'score')[];
  };
} | {
  readonly type: 'reputation.changed';
  readonly data: {
    /** The id of the event; send it as Last-Event-ID to resume after it. */
    readonly id: string;
    readonly occurredAt: string;
    /** The level; low for safe and inconclusive. */
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    readonly indicator: {
      readonly type: 'ip' | 'cidr' | 'domain' | 'url' | 'hash' | 'email';
      readonly value: string;
    };
    readonly score: number | null;
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | null;
    readonly sources: {
      /** Sources that accuse it now. */
      readonly count: number;
      /** The first twenty of them. */
      readonly names: readonly string[];
    };
    /** Since when a source is known to list it; null where nothing dates it. */
    readonly firstSeen: string | null;
    /** When a source last saw it; null where none dates sightings. */
    readonly lastSeen: string | null;
    readonly previousScore: number;
    readonly previousLevel: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive';
    /** A sentence: which lists it is on now, or no longer. */
    readonly reason: string;
  };
} | {
  readonly type: 'ioc.published';
  readonly data: {
    /** The id of the event; send it as Last-Event-ID to resume after it. */
    readonly id: string;
    readonly occurredAt: string;
    /** The level; low for safe and inconclusive. */
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    readonly indicator: {
      readonly type: 'ip' | 'cidr' | 'domain' | 'url' | 'hash' | 'email';
      readonly value: string;
    };
    readonly score: number | null;
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | null;
    readonly sources: {
      /** Sources that accuse it now. */
      readonly count: number;
      /** The first twenty of them. */
      readonly names: readonly string[];
    };
    /** Since when a source is known to list it; null where nothing dates it. */
    readonly firstSeen: string | null;
    /** When a source last saw it; null where none dates sightings. */
    readonly lastSeen: string | null;
    /** The TAXII collection that holds it. */
    readonly collection: string;
    readonly stixId: string;
  };
} | {
  readonly type: 'watchlist.alert';
  readonly data: {
    /** The id of the event; send it as Last-Event-ID to resume after it. */
    readonly id: string;
    readonly occurredAt: string;
    /** The level; low for safe and inconclusive. */
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    readonly indicator: {
      readonly type: 'ip' | 'cidr' | 'domain' | 'url' | 'hash' | 'email';
      readonly value: string;
    };
    readonly score: number | null;
    readonly level: 'safe' | 'low' | 'medium' | 'high' | 'critical' | 'inconclusive' | null;
    readonly sources: {
      /** Sources that accuse it now. */
      readonly count: number;
      /** The first twenty of them. */
      readonly names: readonly string[];
    };
    /** Since when a source is known to list it; null where nothing dates it. */
    readonly firstSeen: string | null;
    /** When a source last saw it; null where none dates sightings. */
    readonly lastSeen: string | null;
    readonly alertId: string;
    readonly monitorId: string;
    readonly alertType: string;
  };
} | {
  readonly type: 'summary';
  readonly data: {
    /** The id of the event; send it as Last-Event-ID to resume after it. */
    readonly id: string;
    readonly occurredAt: string;
    /** The highest of the events that it stands for; critical where that is not known. */
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    /** What the sources that list it call it, sorted. */
    readonly categories: readonly string[];
    /** A list was loaded for the first time or released by an operator, or one run changed too many. */
    readonly reason: 'first-load' | 'release' | 'many-changes';
    readonly message: string;
    /** The types of the events that it stands for. */
    readonly types: readonly ('threat.new' | 'threat.updated' | 'reputation.changed' | 'ioc.published' | 'watchlist.alert')[];
    /** Indicators that changed and are not told one by one. */
    readonly count: number;
    readonly source: {
      readonly id: string;
      readonly name: string;
    } | null;
  };
} | {
  readonly type: 'gap';
  readonly data: {
    readonly id: string;
    /** The last event before the gap. */
    readonly after: string;
    readonly reason: 'expired' | 'unknown' | 'lost';
    readonly message: string;
  };
};

export type ThreatMetrics = {
  readonly threatOverview: ThreatOverview;
  /** Threats by the category of the sources that list them, most first. One listed under two categories counts in both, so shares may add up to more than 1. */
  readonly categoryBreakdown: readonly ({
    readonly category: string;
    readonly count: number;
    readonly share: number;
  })[];
};

export type ThreatOverview = {
  readonly totalThreats: number;
  /** Ranges count as ip. Threats of other kinds (e-mail addresses, AS numbers, wallets) are in the total only. */
  readonly byType: {
    readonly ip: number;
    readonly domain: number;
    readonly url: number;
    readonly hash: number;
  };
  /** Listings that began in the last 24 hours, counted as in `recentActivity`. */
  readonly added24h: number;
  /** Listings that left in the last 24 hours. */
  readonly removed24h: number;
  /** Distinct indicators that any enabled source lists now, threat or not. Beyond the contract. */
  readonly indicators: number;
  /** Enabled sources that list something now. Beyond the contract. */
  readonly sourceCount: number;
};

export type Timeline = {
  /** Earliest sighting by a list that accuses it; null: none does or did. */
  readonly firstSeen: string | null;
  /** Latest such sighting. */
  readonly lastSeen: string | null;
  /** Of its score over the last 30 days: the last week against the first, 5 points make a difference. */
  readonly trend: 'rising' | 'falling' | 'stable';
  /** Lists that accuse it, or did within the last 30 days. */
  readonly totalDetections: number;
};

export type TokenBody = {
  /** From the link of a letter. */
  readonly token: string;
};

export type Told = {
  readonly message: string;
};

export type TotpConfirmBody = {
  /** The six digits of the authenticator app. */
  readonly code: string;
};

export type TransferBody = {
  readonly userId: string;
};

export type TrustAssessmentSchema = {
  readonly version: '1.0';
  /** JSON Schema 2020-12 of `{dataTrust, evidence}` as a check answers them. */
  readonly schema: {
    readonly [key: string]: unknown;
  };
  /** The same schema, one field a row. */
  readonly fields: readonly ({
    /** Such as dataTrust.sources[].name. */
    readonly path: string;
    /** One or more JSON types, joined by |. */
    readonly type: string;
    readonly required: boolean;
    readonly description: string;
    readonly enum?: readonly string[];
  })[];
};

export type TrustAssessmentSchemaReply = {
  readonly success: true;
  readonly data: TrustAssessmentSchema;
  readonly timestamp: string;
};

export type UpdateActionCaseRequest = {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly entityType?: 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'phone' | 'cve' | null | undefined;
  readonly entityValue?: string | null | undefined;
  /** Id of an alert of the same account. */
  readonly linkedAlertId?: string | null | undefined;
  /** Id of a finding of the same account. */
  readonly linkedCveFindingId?: string | null | undefined;
  /** Id of a saved check of the same account. */
  readonly linkedReportId?: string | null | undefined;
  readonly status?: 'OPEN' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED' | undefined;
  readonly priority?: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | undefined;
};

export type UsageAnalytics = {
  /** Both days included. */
  readonly period: {
    readonly from: string;
    readonly to: string;
  };
  readonly requests: {
    readonly total: number;
    /** Every day of the period, oldest first. */
    readonly byDay: readonly ({
      readonly day: string;
      readonly count: number;
    })[];
    /** Method and path with its parameters unfilled, most used first. */
    readonly byEndpoint: readonly ({
      readonly endpoint: string;
      readonly count: number;
    })[];
    /** By the first digit of the status; classes without an answer are absent. */
    readonly byStatus: {
      readonly '1xx'?: number;
      readonly '2xx'?: number;
      readonly '3xx'?: number;
      readonly '4xx'?: number;
      readonly '5xx'?: number;
    };
  };
  /** Of this month. */
  readonly scans: MeterUse;
  /** Checks of this month. */
  readonly monthly: MeterUse;
  /** Verdicts that answers had, by level; a batch has one for each row. Mail scans and the gate count as critical (malicious, block), medium (suspicious, warn), safe (clean) and inconclusive (the rest). Checks at basic have no level and are not counted here. Levels without a verdict are absent. */
  readonly verdicts: {
    readonly safe?: number;
    readonly low?: number;
    readonly medium?: number;
    readonly high?: number;
    readonly critical?: number;
    readonly inconclusive?: number;
  };
};

export type User = {
  readonly id: string;
  readonly email: string;
  /** Whether the owner of the mailbox has proven it. */
  readonly emailVerified: boolean;
  readonly hasPassword: boolean;
  /** False for the account of an instant key that was not claimed yet. */
  readonly isClaimed: boolean;
  readonly createdAt: string;
  readonly organizations: readonly ({
    readonly id: string;
    readonly name: string;
    readonly role: string;
  })[];
};

export type VerifyBody = {
  /** From the link of the letter, after #token=. */
  readonly token: string;
  /** The password that was chosen at registration. */
  readonly password: string;
};

export type Vulnerabilities = {
  readonly total: number;
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
  readonly cves: readonly ({
    readonly id: string;
    /** In the catalog of known exploited vulnerabilities; such CVEs come first. Beyond the contract. */
    readonly isKev?: true;
    /** CRITICAL, HIGH, MEDIUM, LOW, NONE or UNKNOWN. */
    readonly severity: string;
    /** CVSS. */
    readonly score: number | null;
    readonly description: string;
  })[];
  /** Beyond the contract. */
  readonly ports: readonly number[];
  /** Beyond the contract. */
  readonly cpes: readonly string[];
  /** Beyond the contract. */
  readonly hostnames: readonly string[];
  /** Beyond the contract. */
  readonly tags: readonly string[];
};

export type VulnerabilitiesLookup = {
  readonly vulnerabilities: Vulnerabilities | null;
  /** Why there is no answer, or only an old one. Beyond the contract. */
  readonly message?: string;
};

export type WalletResult = {
  readonly address: string;
  readonly chain: 'bitcoin' | 'ethereum' | 'bitcoin-cash' | 'bitcoin-gold' | 'dash' | 'dogecoin' | 'litecoin' | 'monero' | 'ripple' | 'tron' | 'zcash';
  /** The checksum holds; one that does not is answered 400. */
  readonly valid: true;
  /** As of other contacts. Beyond the contract. */
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  /** Beyond the contract. */
  readonly malicious: boolean;
  /** Beyond the contract. */
  readonly recommendedAction: 'block' | 'escalate' | 'review' | 'monitor' | 'allow' | 'unverified' | 'not-applicable' | 'ignore';
  readonly riskScore: ContactRisk;
  /** A threat list names it. */
  readonly localBlacklistHit: boolean;
  readonly sources: readonly ContactSource[];
  readonly categories: readonly string[];
  readonly factors: readonly ContactFactor[];
  readonly apiVersion: 'v2';
};

export type WatchItem = {
  readonly id: string;
  readonly entityType: 'ip' | 'domain' | 'url' | 'email';
  readonly value: string;
  readonly label: string | null;
  /** False: alerts come without letters. */
  readonly notify: boolean;
  readonly status: 'clean' | 'suspicious' | 'malicious' | 'unknown';
  readonly riskScore: number | null;
  readonly lastCheckedAt: string | null;
  /** Changes of lists are seen at once; this is when the rest is checked again. */
  readonly nextCheckAt: string;
  readonly lastChangeAt: string | null;
  readonly createdAt: string;
  /** What is watched beside lists. Beyond the contract. */
  readonly lookups: {
    /** `off`: this service does not make such lookups, so a change of it is not seen. */
    readonly certificate: 'watched' | 'off' | 'inapplicable';
    /** `off`: this service does not make such lookups, so a change of it is not seen. */
    readonly registration: 'watched' | 'off' | 'inapplicable';
    /** `off`: this service does not make such lookups, so a change of it is not seen. */
    readonly location: 'watched' | 'off' | 'inapplicable';
  };
};

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** The host answered a `webhook.verification` of this account. Until then events are kept as `skipped` for 7 days. */
  readonly verified: boolean;
  /** `paused`: switched off by the account. `failing`: nothing but failures for 5 days. `gone`: it answered 410. `plan`: the plan of the account no longer has it. */
  readonly disabledReason: 'paused' | 'failing' | 'gone' | 'plan' | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The last attempt. */
  readonly lastDeliveryAt: string | null;
  /** Its HTTP status; null where no complete answer came. */
  readonly lastStatus: number | null;
  /** Failed attempts since the last success. */
  readonly failureCount: number;
};

export type WebhookDelivery = {
  /** The webhook-id of every attempt. */
  readonly id: string;
  readonly event: string;
  /** The order of this webhook, without gaps; null for a test. */
  readonly sequence: number | null;
  /** `pending`: waits for its turn or its next attempt. `parked`: refused three times, sent again on its own while later ones go on. `skipped`: the webhook was disabled. */
  readonly status: 'pending' | 'parked' | 'delivered' | 'failed' | 'skipped';
  /** Sent after later ones, because it was refused or sent again by request. */
  readonly outOfOrder: boolean;
  readonly attempts: number;
  readonly createdAt: string;
  readonly lastAttemptAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
  readonly responseStatus: number | null;
  /** The first kilobyte of the last answer, as one line. */
  readonly responseBody: string | null;
  /** Why no complete answer came. */
  readonly error: string | null;
  readonly durationMs: number | null;
};

export type Whois = {
  /** Of a domain; null for an address. */
  readonly registrar: string | null;
  /** As published by the registry; often redacted. */
  readonly registrant: string | null;
  readonly createdDate: string | null;
  readonly updatedDate: string | null;
  readonly expiresDate: string | null;
  readonly nameServers: readonly string[];
  /** Registry status words. Beyond the contract. */
  readonly status: readonly string[];
  /** The registry's own id. Beyond the contract. */
  readonly handle: string | null;
  /** Addresses only: the registered block. Beyond the contract. */
  readonly network?: {
    readonly name: string | null;
    readonly range: string | null;
    readonly country: string | null;
  };
  /** Beyond the contract. */
  readonly source: 'rdap' | 'whois';
};

export type WhoisLookup = {
  readonly whois: Whois | null;
  /** Why there is no answer, or only an old one. Beyond the contract. */
  readonly message?: string;
};
