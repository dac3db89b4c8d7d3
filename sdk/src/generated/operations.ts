// Written by `npm run sdk:generate` from the description of the API. Do not edit.

import type * as S from './schemas.ts';

export type Operations = {
  /**
   * `GET /check`: Is this IP address, domain, URL or file hash malicious?
   *
   * `basic` has the listings and starts no lookup: WHOIS, certificates and vulnerabilities are there when they are cached. `standard` adds the score, its parts and how far to trust it, and waits a quarter of a second for live lookups where they are on. `full` adds the timeline, related infrastructure, DNS and technologies, and waits up to 3 s. A part that is not available is null or absent and named in `dataTrust.completeness.missing`; one whose lookup goes on behind the answer is also in `pending`. Where live lookups are off, `full` still has the timeline and the related infrastructure, which are local. With `asOf`, `full` is answered at `standard`; `enrichmentLevel` names the level applied.
   *
   * Charges checks of the month: 1; 0 without a target. And one request of the burst.
   */
  readonly getCheck: {
    readonly query?: {
      /** IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood. */
      readonly query?: string | undefined;
      /** Same as query. */
      readonly ip?: string | undefined;
      /** Same as query. */
      readonly domain?: string | undefined;
      /** Same as query. */
      readonly hash?: string | undefined;
      /** How much to add to the verdict. `fast` is an extension: local data only; `pending` names the facets left out. */
      readonly enrichment?: 'fast' | 'basic' | 'standard' | 'full' | undefined;
      /** Answers as it would have been answered then, at most 90 days ago. Needs a target. An extension. */
      readonly asOf?: string | undefined;
      /** Accepted and ignored: checks are never saved by themselves. */
      readonly track_reports?: string | undefined;
    } | undefined;
    readonly reply: S.CheckResult;
  };
  /**
   * `GET /check/reputation`: How many scanner-type sources call this IP address or domain malicious?
   *
   * The counts of `GET /check` at `standard`: a live scanner is asked as well where one is set up. Four zeros: none of them answered, which is not "harmless"; `blocklistHits`, `riskScore` and `message` say what the lists know.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getCheckReputation: {
    readonly query: {
      /** IP address or domain. */
      readonly query: string;
    };
    readonly reply: S.ReputationResult;
  };
  /**
   * `GET /check/stream`: The same check, phase by phase as it becomes known.
   *
   * Server-Sent Events. Each data line is one `{type, data}`: `reputation`, `basic`, `insights`, `dns` (names only), `enrichment`, `done`, in this order and within 8 s. A lookup that failed or was too slow is named in `degraded` of the phase. Without credentials 10 an hour and 50 a month per address. A connection that broke is resumed without a second charge: send the `id` of the last event as `Last-Event-ID` within two minutes, as the same caller and for the same target, and the phases after it are sent; after `done` the answer is 204. Any other `Last-Event-ID` is a new check. Resuming is an extension.
   *
   * Charges checks of the month: 1; 0 to resume. And one request of the burst.
   */
  readonly getCheckStream: {
    readonly query: {
      /** IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood. */
      readonly query: string;
    };
    readonly reply: S.CheckEvent;
  };
  /**
   * `GET /check/whois`: Who registered this domain or IP address, and when?
   *
   * From the registry: RDAP, or WHOIS where a registry has no RDAP. A host name is looked up by its registered domain. Null: the source has no entry. Null with a `message`: the source could not be queried, or is not configured on this service, which costs nothing; neither says anything about the target. Answers within about five seconds.
   *
   * Charges checks of the month: 1; 0 where the source is not configured. And one request of the burst.
   */
  readonly getCheckWhois: {
    readonly query: {
      /** IP address, domain, or URL, whose host is taken. */
      readonly query: string;
    };
    readonly reply: S.WhoisLookup;
  };
  /**
   * `GET /check/certificates`: Which certificate does this domain or IP address use?
   *
   * The newest valid one: as the host shows it, where that is switched on, and from certificate transparency logs. One that is expired or not trusted is shown and said to be so. Null: the source has no entry. Null with a `message`: the source could not be queried, or is not configured on this service, which costs nothing; neither says anything about the target. Answers within about five seconds.
   *
   * Charges checks of the month: 1; 0 where the source is not configured. And one request of the burst.
   */
  readonly getCheckCertificates: {
    readonly query: {
      /** Domain or IP address. */
      readonly query: string;
    };
    readonly reply: S.CertificatesLookup;
  };
  /**
   * `GET /check/vulnerabilities`: Which known vulnerabilities does this IP address show?
   *
   * From a search engine for open ports; the host itself is not touched. Null: the source has no entry. Null with a `message`: the source could not be queried, or is not configured on this service, which costs nothing; neither says anything about the target. Answers within about five seconds.
   *
   * Charges checks of the month: 1; 0 where the source is not configured. And one request of the burst.
   */
  readonly getCheckVulnerabilities: {
    readonly query: {
      /** IP address. */
      readonly query: string;
    };
    readonly reply: S.VulnerabilitiesLookup;
  };
  /**
   * `GET /check/intelowl`: What does the operator's own IntelOwl say?
   *
   * Submitted, and given when it ends within about five seconds; else `status` is `accepted`: ask again. Remembered for an hour. HEAD asks whether IntelOwl can be reached (200, else 503) and costs no check. 503 when no IntelOwl is configured.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getCheckIntelowl: {
    readonly query: {
      /** IP address, domain, URL or file hash. */
      readonly query: string;
      /** Read off the query when it is not given. */
      readonly type?: 'ip' | 'domain' | 'url' | 'hash' | undefined;
      /** `true`: only a cached answer; 404 without one. */
      readonly cache_only?: 'true' | 'false' | undefined;
    };
    readonly reply: S.IntelOwlLookup;
  };
  /**
   * `GET /check/tenant`: Does this domain belong to a Microsoft tenant?
   *
   * From what Microsoft publishes before sign-in; Microsoft learns the domain and nothing about the caller. Null: the source has no entry. Null with a `message`: the source could not be queried, or is not configured on this service, which costs nothing; neither says anything about the target. Answers within about five seconds.
   *
   * Charges checks of the month: 1; 0 where the source is not configured. And one request of the burst.
   */
  readonly getCheckTenant: {
    readonly query: {
      /** Domain, or URL, whose host is taken. */
      readonly query: string;
    };
    readonly reply: S.TenantLookup;
  };
  /**
   * `GET /check/ransomware`: Is this named in a ransomware claim?
   *
   * A domain is looked up by its registrable domain, a name of a group by its claims, other text as part of the name of a victim; an address or a digest in the lists of ransomware indicators. Without a query, or with `type=stats`, statistics. `found: false` is not a finding.
   *
   * Charges checks of the month: 1; 0 while its data is not loaded. And one request of the burst.
   */
  readonly getCheckRansomware: {
    readonly query?: {
      /** IP address, domain, hash, group or part of a name; without it, statistics. */
      readonly query?: string | undefined;
      /** `stats` asks for statistics, for any query. */
      readonly type?: 'stats' | '' | undefined;
      /** With techniques. Reserved: read and not used. */
      readonly include_ttps?: '0' | '1' | 'true' | 'false' | '' | undefined;
      /** With indicators. Reserved: read and not used. */
      readonly include_iocs?: '0' | '1' | 'true' | 'false' | '' | undefined;
      /** Reserved: read and not used. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: S.RansomwareLookup;
  };
  /**
   * `GET /ransomware/feed`: The newest claims of ransomware groups.
   *
   * One claim is a group and a victim within 365 days, with all trackers that reported it. Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareFeed: {
    readonly query?: {
      /** At most 100; more is read as 100. */
      readonly limit?: number | undefined;
      /** `press`, `press=1` or `press=true`: with articles about the victims. */
      readonly press?: '0' | '1' | '' | 'true' | 'false' | undefined;
    } | undefined;
    readonly reply: S.RansomwareFeed;
  };
  /**
   * `GET /ransomware/stats`: How many claims, of which groups, where and in which sectors.
   *
   * Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareStats: {
    readonly reply: S.RansomwareStats;
  };
  /**
   * `GET /ransomware/press`: Articles about attacks, with the groups that claimed their victims.
   *
   * An article has a group only through a claim on the same victim near its date: by domain where both have one, else by name.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwarePress: {
    readonly query?: {
      /** At most 100; more is read as 100. */
      readonly limit?: number | undefined;
      /** Names of groups, separated by commas: only articles about victims that one of them claimed. */
      readonly groups?: string | undefined;
    } | undefined;
    readonly reply: S.RansomwarePress;
  };
  /**
   * `GET /ransomware/sector-risk`: Which sectors groups claim most, and whether it rises.
   *
   * The score is of 30 days against the 30 before, and of claims with a sector alone: `coverage` says how many those are. Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareSectorRisk: {
    readonly query?: {
      /** One of: agriculture, business services, construction, consumer services, defence, education, energy, financial services, healthcare, hospitality and tourism, legal, manufacturing, media, mining, non-profit, pharmaceutical, public sector, real estate, retail, technology, telecommunication, transportation and logistics, utilities. Case does not matter. */
      readonly sector?: string | undefined;
      /** `press`, `press=1` or `press=true`: with articles about the victims. */
      readonly press?: '0' | '1' | '' | 'true' | 'false' | undefined;
    } | undefined;
    readonly reply: S.RansomwareSectorRisk;
  };
  /**
   * `GET /ransomware/sector-risk/history`: The score of sectors day by day.
   *
   * Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareSectorRiskHistory: {
    readonly query?: {
      /** At most 120; more is read as 120. */
      readonly days?: number | undefined;
      /** One of: agriculture, business services, construction, consumer services, defence, education, energy, financial services, healthcare, hospitality and tourism, legal, manufacturing, media, mining, non-profit, pharmaceutical, public sector, real estate, retail, technology, telecommunication, transportation and logistics, utilities. Case does not matter. */
      readonly sector?: string | undefined;
    } | undefined;
    readonly reply: S.RansomwareSectorHistory;
  };
  /**
   * `GET /ransomware/sector-victims`: The newest claims on a sector.
   *
   * Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareSectorVictims: {
    readonly query: {
      /** One of: agriculture, business services, construction, consumer services, defence, education, energy, financial services, healthcare, hospitality and tourism, legal, manufacturing, media, mining, non-profit, pharmaceutical, public sector, real estate, retail, technology, telecommunication, transportation and logistics, utilities. Case does not matter. */
      readonly sector: string;
    };
    readonly reply: S.RansomwareSectorVictims;
  };
  /**
   * `GET /ransomware/groups`: Ransomware groups, by victims or by activity.
   *
   * Groups with claims, and groups that a source lists with their sites. Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareGroups: {
    readonly query?: {
      /** At most 500; more is read as 500. */
      readonly limit?: number | undefined;
      /** `activity`: by claims in 30 days; without any claim loaded as `victims`. */
      readonly sort?: 'victims' | 'activity' | undefined;
    } | undefined;
    readonly reply: S.RansomwareGroups;
  };
  /**
   * `GET /ransomware/group-profile`: What sources say of one group.
   *
   * Addresses of its sites are defanged. Claims are what groups say; see `disclaimer`.
   *
   * Charges one request of the burst.
   */
  readonly getRansomwareGroupProfile: {
    readonly query: {
      /** Name of a group, or another name that a source gives it. */
      readonly group: string;
    };
    readonly reply: S.RansomwareGroupProfile;
  };
  /**
   * `GET /check/email`: Is this e-mail address listed, and how is its domain rated?
   *
   * The score comes from lists that name the address or its domain, from whether the domain offers throw-away mailboxes, and from its live DNS. An unlisted address is `inconclusive`, never `safe`; a value that no name server answered is null.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getCheckEmail: {
    readonly query: {
      /** The address. Defanged forms are understood. */
      readonly email: string;
      /** Echoed as `enrichmentLevel`. `fast` queries no name server, `basic` shows cached answers. */
      readonly enrichment?: 'fast' | 'basic' | 'standard' | 'full' | undefined;
    };
    readonly reply: S.EmailResult;
  };
  /**
   * `GET /api/check/email`: Everything known of an e-mail address, its mailbox and its domain.
   *
   * The answer of the API host and more: verdict and reasons, the mailbox, look-alikes of well-known names, the age of the domain, its DNS, and how far to trust all that.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getApiCheckEmail: {
    readonly query: {
      /** The address. Defanged forms are understood. */
      readonly email: string;
      /** Echoed as `enrichmentLevel`. `fast` queries no name server, `basic` shows cached answers. */
      readonly enrichment?: 'fast' | 'basic' | 'standard' | 'full' | undefined;
    };
    readonly reply: S.EmailReport;
  };
  /**
   * `GET /api/check/phone`: Is this telephone number on a list?
   *
   * A number without its country code is read with `country`, else as a North American one; when it is neither, the answer is `unknown` and says why. Letters are refused.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getApiCheckPhone: {
    readonly query: {
      /** The number: E.164 or a common format. Encode the plus as %2B. */
      readonly phone: string;
      /** ISO 3166-1 country of a number written without its code. Beyond the contract. */
      readonly country?: string | undefined;
    };
    readonly reply: S.PhoneResult;
  };
  /**
   * `GET /api/check/crypto`: Is this cryptocurrency address on a list?
   *
   * The checksum of the address is verified: one that does not hold answers 400. An unlisted wallet is `inconclusive`, never `safe`.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getApiCheckCrypto: {
    readonly query: {
      /** A Bitcoin or Ethereum address, or one of another chain that lists name. */
      readonly address: string;
    };
    readonly reply: S.WalletResult;
  };
  /**
   * `POST /api/analyze`: Detect the type of a text and check it.
   *
   * Detects the type of the input in this order: URL, IP address, file hash, e-mail address, crypto address, phone number, domain. Answers what the check of that kind answers.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly postApiAnalyze: {
    readonly body: {
      /** URL, domain, IP, e-mail address, phone number, file hash or crypto address. Required. */
      readonly input?: string | undefined;
      /** Same as input, which wins when both are sent. */
      readonly query?: string | undefined;
      /** What the input is meant to be; 400 when it is something else. */
      readonly input_type?: 'crypto' | 'email' | 'phone' | 'hash' | 'url' | 'ip' | 'domain' | undefined;
      /** Same as input_type. */
      readonly inputType?: 'crypto' | 'email' | 'phone' | 'hash' | 'url' | 'ip' | 'domain' | undefined;
    };
    readonly reply: {
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
      readonly sources?: readonly S.SourceEntry[];
      /** Present only when a listing says what the indicator is. */
      readonly infrastructure?: S.Infrastructure;
      /** The known service that the value, or the host of the URL, belongs to. Beyond the contract. */
      readonly service?: S.Service;
      /** Of a domain that resembles an often imitated one; adds no points by itself. Beyond the contract. */
      readonly lookalike?: S.Lookalike;
      /** Of a domain whose organization ransomware groups claim as a victim: context that adds no points. Beyond the contract. */
      readonly ransomwareClaims?: S.RansomwareClaims;
      /** What your organization reported of it; only its members see it. An extension. */
      readonly organization?: S.OrganizationWord;
      readonly reputation?: S.Reputation;
      /** From standard on. */
      readonly riskScore?: S.RiskScore;
      /** From standard on. */
      readonly confidence?: S.Confidence;
      /** From standard on. */
      readonly classification?: S.Classification;
      /** From standard on: techniques of MITRE ATT&CK that go with what it is accused of. Beyond the contract. */
      readonly mitre?: S.Mitre;
      /** From standard on. Beyond the contract. */
      readonly crossCorrelation?: S.CrossCorrelation;
      /** Of the address, or of the first one a name leads to; null where nothing is known. */
      readonly geo?: S.Geo | null;
      /** Of the address, or the registrable domain; null where not available. */
      readonly whois?: S.Whois | null;
      /** Of the host; null where not available. */
      readonly certificates?: S.Certificates | null;
      /** Of an address; null where not available, which is not "none". */
      readonly vulnerabilities?: S.Vulnerabilities | null;
      /** From standard on; absent when the community has no entry or did not answer. */
      readonly otx?: S.CommunityIntel;
      /** At full: of a name. Beyond the contract. */
      readonly dns?: S.DnsFacts;
      /** At full: what the host runs. Beyond the contract. */
      readonly technologies?: readonly ({
        readonly name: string;
        readonly version: string | null;
        readonly category: string;
        /** The sign that revealed it: header:server, meta:generator, cpe … */
        readonly source: string;
      })[];
      /** At full. Beyond the contract. */
      readonly timeline?: S.Timeline;
      /** At full. Beyond the contract. */
      readonly relatedInfrastructure?: S.RelatedInfrastructure;
      readonly apiVersion: 'v2';
      /** The level applied. */
      readonly enrichmentLevel: 'fast' | 'basic' | 'standard' | 'full';
      /** Null at basic. */
      readonly dataTrust?: S.DataTrust | null;
      /** Null at basic. */
      readonly evidence?: S.Evidence | null;
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
      readonly hashInfo?: S.HashInfo;
      /** File hashes only: the strongest of `categories`. Beyond the contract. */
      readonly threatType?: string;
      /** File hashes only: what current lists accuse it of, strongest first. Beyond the contract. */
      readonly categories?: readonly string[];
      /** The value is also the SHA-1 or NTLM hash of a breached password. Never bears on the verdict. */
      readonly pwnedPassword?: S.PwnedPassword;
      readonly detectedType: 'ip' | 'domain' | 'url' | 'hash';
      /** As sent. */
      readonly input: string;
      /** In its one canonical form; null for a number of no known country. */
      readonly normalized: string | null;
    } | {
      readonly email: S.Mailbox;
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
        readonly factors: readonly S.ContactFactor[];
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
      readonly dataTrust: S.DataTrust | null;
      readonly evidence: S.Evidence;
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
      readonly detectedType: 'email';
      /** As sent. */
      readonly input: string;
      /** In its one canonical form; null for a number of no known country. */
      readonly normalized: string | null;
    } | {
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
      readonly dataTrust: S.DataTrust | null;
      readonly evidence: S.Evidence;
      readonly blocklistHits: number;
      readonly categories: readonly string[];
      readonly sources: readonly S.ContactSource[];
      readonly riskScore: S.ContactRisk;
      readonly factors: readonly S.ContactFactor[];
      readonly apiVersion: 'v2';
      readonly detectedType: 'phone';
      /** In its one canonical form; null for a number of no known country. */
      readonly normalized: string | null;
    } | {
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
      readonly riskScore: S.ContactRisk;
      /** A threat list names it. */
      readonly localBlacklistHit: boolean;
      readonly sources: readonly S.ContactSource[];
      readonly categories: readonly string[];
      readonly factors: readonly S.ContactFactor[];
      readonly apiVersion: 'v2';
      readonly detectedType: 'crypto';
      /** As sent. */
      readonly input: string;
      /** In its one canonical form; null for a number of no known country. */
      readonly normalized: string | null;
    };
  };
  /**
   * `POST /api/check/password`: Was a password with this hash seen in a breach?
   *
   * Takes a hash, never a password. Nothing of it is stored, cached or logged. 503 until the list is loaded, and for prefixes that a partial list does not have.
   *
   * Charges checks of the month: 1; 0 where the corpus has no answer (503). And one request of the burst.
   */
  readonly postApiCheckPassword: {
    readonly body: {
      /** The SHA-1 hash of the password, 40 hexadecimal digits. */
      readonly sha1?: string | undefined;
      /** The NTLM hash: MD4 of the password in UTF-16LE, 32 hexadecimal digits. */
      readonly ntlm?: string | undefined;
      /** Either; its length decides. */
      readonly hash?: string | undefined;
      /** Refused with 400. */
      readonly password?: undefined;
    };
    readonly reply: S.PasswordVerdict;
  };
  /**
   * `GET /api/pwned-passwords/range/{prefix}`: All breached password hashes that begin with these five digits.
   *
   * Compare digits 6 to 17 of your hash with each `suffix`; the service does not learn which one you have. Without credentials 10 calls an hour and 50 a month for each address. 503 until the list is loaded, and for prefixes that a partial list does not have.
   *
   * Charges checks of the month: 1; 0 where the corpus has no answer (503). And one request of the burst.
   */
  readonly getApiPwnedPasswordsRangePrefix: {
    readonly path: {
      /** The first five hexadecimal digits of the hash. */
      readonly prefix: string;
    };
    readonly query?: {
      /** Which hashes are meant; sha1 when absent. */
      readonly mode?: 'sha1' | 'ntlm' | undefined;
    } | undefined;
    readonly headers?: {
      /** true: entries with a count of 0 are added, so that all answers of a list are equally long and the length of an encrypted answer does not tell the prefix. An extension. */
      readonly 'Add-Padding'?: string | undefined;
    } | undefined;
    readonly reply: S.PasswordRange;
  };
  /**
   * `GET /bulk/check`: How many entities may be checked at once.
   *
   * Charges one request of the burst.
   */
  readonly getBulkCheck: {
    readonly reply: S.BulkLimits;
  };
  /**
   * `POST /bulk/check`: Check many IP addresses, domains, URLs, file hashes, e-mail addresses and phone numbers at once.
   *
   * Answers from the local replica, all rows from one state of it. An entity that cannot be judged has a row with its reason in `error` and costs nothing. With `format: csv` the answer is text/csv. A batch over the cap of the plan is refused with 400, one over what is left of the month with 429; neither is charged.
   *
   * Charges checks of the month: 1 per unique entity that can be judged. And one request of the burst.
   */
  readonly postBulkCheck: {
    readonly body: S.BulkCheckBody;
    readonly reply: S.BulkCheckReply;
  };
  /**
   * `GET /check/location`: Where is this address, and who announces it?
   *
   * From files that are loaded here. An address is never looked up externally. A name is resolved first, within five seconds, and gets the location of its first address, or `null`. Null with a `message`: it could not be resolved, or no location file is loaded, which costs nothing.
   *
   * Charges checks of the month: 1; 0 where no location file is loaded or names are not resolved. And one request of the burst.
   */
  readonly getCheckLocation: {
    readonly query: {
      /** IP address, domain, or URL, whose host is taken. */
      readonly query: string;
    };
    readonly reply: S.Location;
  };
  /**
   * `GET /threat-intel/asn`: Whose network is this, and how much of it is listed?
   *
   * 404 for an address that no network announces and for a number that is neither in the table of networks nor on a list. While no table is loaded, `loaded` is false and only lists of networks answer. With `members=true` also the listed addresses inside it, judged as in /check without live lookups: the newest and the worst 100, and a cursor for more; that costs one check, and the same page again within 24 hours nothing.
   *
   * Charges checks of the month: 1 with members=true, 0 without; 0 for the same page within 24 hours. And one request of the burst.
   */
  readonly getThreatIntelAsn: {
    readonly query?: {
      /** The network that announces this address. */
      readonly ip?: string | undefined;
      /** Number of the network, with or without AS before it. */
      readonly asn?: string | undefined;
      /** `true` adds `members`. An extension. */
      readonly members?: 'true' | 'false' | undefined;
      /** `next` of a list in an earlier answer to the same question: the members after it. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly reply: S.AutonomousSystem;
  };
  /**
   * `GET /threat-intel/reverse-ip`: Which names lead to this address?
   *
   * As far as live lookups of this service have seen it in the last 400 days: our own passive DNS. No outside source is queried, and an address without observations gets an empty list. Where names are not resolved, `loaded` is false and the total null.
   *
   * Charges one request of the burst.
   */
  readonly getThreatIntelReverseIp: {
    readonly query: {
      /** IPv4 address. */
      readonly ip: string;
    };
    readonly reply: S.ReverseIp;
  };
  /**
   * `GET /network/intel`: An address, the network it is in, and its neighbours.
   *
   * Charges one request of the burst.
   */
  readonly getNetworkIntel: {
    readonly query: {
      /** IP address. */
      readonly ip: string;
    };
    readonly reply: S.NetworkIntel;
  };
  /**
   * `GET /threat-intel/history`: How an IP address or a domain was judged over the last days.
   *
   * Each day is judged again from what was listed then, by the rules and signals of today. The record reaches back 90 days at most; `retainedFrom` says how far. Lists date their entries, so that `spans` reach further back. Costs one check, unless your account checked the value in the last 30 days, watches it, or opened its history in the last 24 hours.
   *
   * Charges checks of the month: 1; 0 for a value that the account checked in the last 30 days or watches, and again within 24 hours. And one request of the burst.
   */
  readonly getThreatIntelHistory: {
    readonly query: {
      /** IP address or domain. Defanged forms are understood. */
      readonly entity: string;
      /** How many days, today included; more than 365 are read as 365. */
      readonly days?: number | undefined;
    };
    readonly reply: S.ReputationHistory;
  };
  /**
   * `GET /threat-intel/network`: What is listed in this range of addresses?
   *
   * Addresses inside it that threat sources list now, listed ranges around it and inside it, what lists call it and who announces it. Members are judged as in /check, without live lookups. `counts.isPartial` says that there are more than were examined. `next` of a list, sent as `cursor`, gives the members that follow. Costs one check; the same page again within 24 hours costs nothing.
   *
   * Charges checks of the month: 1; 0 for the same page within 24 hours. And one request of the burst.
   */
  readonly getThreatIntelNetwork: {
    readonly query: {
      /** A range of addresses: IPv4 from /16 to /31, IPv6 from /32 to /127. */
      readonly cidr: string;
      /** `next` of a list in an earlier answer to the same question: the members after it. */
      readonly cursor?: string | undefined;
    };
    readonly reply: S.RangePage;
  };
  /**
   * `GET /threat-intel/source/{id}`: What is this source, and what does it list?
   *
   * The facts that `sources[]` of a check shows. Entries are named only where the licence of the source allows to pass them on; others are counted. Members are judged as in /check, without live lookups. `counts.isPartial` says that there are more than were examined. `next` of a list, sent as `cursor`, gives the members that follow. Costs one check; the same page again within 24 hours costs nothing.
   *
   * Charges checks of the month: 1; 0 for the same page within 24 hours. And one request of the burst.
   */
  readonly getThreatIntelSourceId: {
    readonly path: {
      /** Id of a source, as in `sources[]` of a check. */
      readonly id: string;
    };
    readonly query?: {
      /** `next` of a list in an earlier answer to the same question: the members after it. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly reply: S.SourcePage;
  };
  /**
   * `GET /threat-intel/family/{name}`: What is listed for this malware family or tool?
   *
   * Values that sources list under any spelling of the name. Entries of sources whose licence does not allow to pass them on are counted and not named. A word that is new in a list is found within five minutes. Members are judged as in /check, without live lookups. `counts.isPartial` says that there are more than were examined. `next` of a list, sent as `cursor`, gives the members that follow. Costs one check; the same page again within 24 hours costs nothing.
   *
   * Charges checks of the month: 1; 0 for the same page within 24 hours. And one request of the burst.
   */
  readonly getThreatIntelFamilyName: {
    readonly path: {
      /** Name of a malware family or tool, in any spelling of the sources. */
      readonly name: string;
    };
    readonly query?: {
      /** `next` of a list in an earlier answer to the same question: the members after it. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly reply: S.FamilyPage;
  };
  /**
   * `POST /submit`: Propose lists that this service should read.
   *
   * An operator decides on every proposal. Nothing is fetched from the address before it is approved.
   *
   * Charges one request of the burst.
   */
  readonly postSubmit: {
    readonly body: S.SubmitBody;
    readonly reply: S.SubmitReply;
  };
  /**
   * `POST /sources`: Every source of this service, for licensed accounts.
   *
   * Needs an active licence in the X-License-Key header beside the credential; without one, or with one that is unknown or has expired, 403. Takes no body.
   *
   * Charges one request of the burst.
   */
  readonly postSources: {
    readonly headers: {
      /** An active licence key of the account. */
      readonly 'X-License-Key': string;
    };
    readonly reply: readonly S.LicensedSource[];
  };
  /**
   * `GET /sources/statistics`: What the sources hold, and how they do.
   *
   * Computed every five minutes. 404 as long as nothing has been computed.
   *
   * Charges one request of the burst.
   */
  readonly getSourcesStatistics: {
    readonly reply: S.SourceStatisticsReply;
  };
  /**
   * `GET /platform/data-freshness`: How old the data is, source by source, and what to do about it.
   *
   * At most five seconds old.
   *
   * Charges one request of the burst.
   */
  readonly getPlatformDataFreshness: {
    readonly reply: S.DataFreshness;
  };
  /**
   * `GET /platform/data-ops/pipeline`: The steps from a published list to a listing, and how the last run went.
   *
   * Charges one request of the burst.
   */
  readonly getPlatformDataOpsPipeline: {
    readonly reply: S.DataOpsPipeline;
  };
  /**
   * `GET /cve/stats/epss`: How likely CVEs are to be exploited: distribution, the highest scores, a summary.
   *
   * The filters apply to all three parts. Free and public.
   *
   * Free of charge.
   */
  readonly getCveStatsEpss: {
    readonly query?: {
      readonly limit?: number | undefined;
      readonly minEpss?: number | undefined;
      /** `true`: only CVEs of the KEV catalogue. */
      readonly kev?: '0' | '1' | '' | 'true' | 'false' | undefined;
      readonly exploit?: 'none' | 'poc' | 'active' | undefined;
    } | undefined;
    readonly reply: S.EpssStatistics;
  };
  /**
   * `GET /cve/stats/timeseries`: CVEs by the day, week or month they were published, by severity.
   *
   * `kev` and `active_exploit` are subsets of the CVEs of the bucket. Days without a CVE are zeros; an empty list means that no CVE is loaded. At most 365 days by day, 730 by week, 1,825 by month; more is cut to it.
   *
   * Free of charge.
   */
  readonly getCveStatsTimeseries: {
    readonly query?: {
      readonly days?: number | undefined;
      readonly bucket?: 'day' | 'week' | 'month' | undefined;
    } | undefined;
    readonly reply: S.CveTimeseries;
  };
  /**
   * `GET /cve`: One CVE by its id, the CVEs of the last week, or those that fit a search.
   *
   * With `id` the record of /cve/{id}. With `recent=true` an object of the last seven days. Otherwise a search, which is beyond the contract: all given filters have to fit, the newest published come first, and `nextCursor` leads to the next page.
   *
   * Charges checks of the month: 1; 0 while no CVE is loaded. And one request of the burst.
   */
  readonly getCve: {
    readonly query?: {
      readonly id?: string | undefined;
      /** `true`: what was published in the last seven days. */
      readonly recent?: '0' | '1' | '' | 'true' | 'false' | undefined;
      /** Words of id, title, description, vendor, product. An id alone means that CVE. */
      readonly q?: string | undefined;
      readonly vendor?: string | undefined;
      readonly product?: string | undefined;
      readonly severity?: string | undefined;
      readonly kev?: '0' | '1' | '' | 'true' | 'false' | undefined;
      readonly exploit?: 'none' | 'poc' | 'active' | undefined;
      readonly minEpss?: number | undefined;
      readonly cwe?: string | undefined;
      /** Published on this day or later. */
      readonly from?: string | undefined;
      /** Published on this day or earlier. */
      readonly to?: string | undefined;
      readonly cursor?: string | undefined;
      /** At most 100; more is cut to it. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: S.CveAnswer;
  };
  /**
   * `GET /cve/recent`: The newest CVEs.
   *
   * Charges checks of the month: 1; 0 while no CVE is loaded. And one request of the burst.
   */
  readonly getCveRecent: {
    readonly query?: {
      /** At most 100; more is cut to it. */
      readonly limit?: number | undefined;
      /** Beyond the contract. */
      readonly severity?: string | undefined;
      /** Published within these days; beyond the contract. */
      readonly days?: number | undefined;
    } | undefined;
    readonly reply: readonly S.CveItem[];
  };
  /**
   * `GET /cve/{id}`: All that is known about one CVE, and which source said it.
   *
   * The id in any case. A rejected CVE is answered with `state: "REJECTED"`; no list, count or match has it.
   *
   * Charges checks of the month: 1; 0 while no CVE is loaded. And one request of the burst.
   */
  readonly getCveId: {
    readonly path: {
      readonly id: string;
    };
    readonly reply: S.Cve;
  };
  /**
   * `GET /cve/vendors`: Vendors that CVEs name, the most named first.
   *
   * Charges checks of the month: 1; 0 while no CVE is loaded. And one request of the burst.
   */
  readonly getCveVendors: {
    readonly query?: {
      readonly q?: string | undefined;
      /** At most 100; more is cut to it. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: S.CveNames;
  };
  /**
   * `GET /cve/products`: Products that CVEs name, the most named first.
   *
   * Charges checks of the month: 1; 0 while no CVE is loaded. And one request of the burst.
   */
  readonly getCveProducts: {
    readonly query?: {
      readonly q?: string | undefined;
      readonly vendor?: string | undefined;
      /** At most 100; more is cut to it. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: S.CveNames;
  };
  /**
   * `GET /cve/stats/top-products`: The products with the most CVEs of the last days.
   *
   * Charges checks of the month: 1; 0 while no CVE is loaded. And one request of the burst.
   */
  readonly getCveStatsTopProducts: {
    readonly query?: {
      /** At most 100; more is cut to it. */
      readonly limit?: number | undefined;
      readonly days?: number | undefined;
    } | undefined;
    readonly reply: readonly ({
      readonly vendor: string;
      readonly product: string;
      readonly count: number;
      readonly critical: number;
      readonly high: number;
      /** Without a severity in any source. Beyond the contract. */
      readonly unscored: number;
      readonly kev: number;
    })[];
  };
  /**
   * `GET /monitoring`: What this account watches, newest first.
   *
   * `total` is the number of items, `limit` how many the plan allows.
   *
   * Charges one request of the burst.
   */
  readonly getMonitoring: {
    readonly query?: {
      /** Beyond the contract. */
      readonly page?: number | undefined;
      /** At most 500. Beyond the contract. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      /** Newest first. */
      readonly items: readonly S.WatchItem[];
      readonly total: number;
      /** How many the plan allows. */
      readonly limit: number;
    };
  };
  /**
   * `POST /monitoring`: Watch an address, a domain, a URL or an e-mail address.
   *
   * The first check is a baseline and raises nothing. Afterwards a change of level comes as an alert: of the value itself, of the host of a URL, of a domain above it, of a range around it, of the domain of a mailbox, and of what the organization reports itself. One that is watched already is answered with 200 as it is. Above the number of the plan 403: 3 on FREE, 25 on BASIC, 250 on PRO, 5,000 on ENTERPRISE. A new value costs one check; one that is watched already costs nothing. On FREE a place is free again 24 hours after its value was removed.
   *
   * Charges checks of the month: 1; 0 for a value that is watched already. And one request of the burst.
   */
  readonly postMonitoring: {
    readonly body: {
      /** Read from the value when absent; another type than that of the value is refused. */
      readonly entityType?: 'ip' | 'domain' | 'url' | 'email' | undefined;
      /** An address, a domain, a URL or an e-mail address. */
      readonly value: string;
      readonly label?: string | null | undefined;
      readonly notify?: boolean | undefined;
    };
    readonly reply: S.WatchItem;
  };
  /**
   * `GET /monitoring/metrics`: How what is watched stands.
   *
   * Charges one request of the burst.
   */
  readonly getMonitoringMetrics: {
    readonly reply: {
      readonly watched: number;
      readonly limit: number;
      readonly byStatus: {
        readonly clean: number;
        readonly suspicious: number;
        readonly malicious: number;
        readonly unknown: number;
      };
      readonly byType: {
        readonly ip: number;
        readonly domain: number;
        readonly url: number;
        readonly email: number;
      };
      /** Items that changed in the last 24 hours. */
      readonly changes24h: number;
      /** Open alerts about what is watched. */
      readonly alertsOpen: number;
    };
  };
  /**
   * `POST /monitoring/toggle-notify`: Switch letters about one item on or off.
   *
   * Charges one request of the burst.
   */
  readonly postMonitoringToggleNotify: {
    readonly body: {
      /** The id of a watched item. */
      readonly id: string;
      /** The other of both when absent. */
      readonly notify?: boolean | undefined;
    };
    readonly reply: {
      readonly item: S.WatchItem;
    };
  };
  /**
   * `POST /monitoring/unwatch`: Stop watching something.
   *
   * By `id`, or by `entityType` and `value`. Its alerts stay. On FREE its place is free again after 24 hours.
   *
   * Charges one request of the burst.
   */
  readonly postMonitoringUnwatch: {
    readonly body: {
      /** The id of a watched item. */
      readonly id?: string | undefined;
      readonly entityType?: 'ip' | 'domain' | 'url' | 'email' | undefined;
      readonly value?: string | undefined;
    };
    readonly reply: {
      readonly removed: true;
    };
  };
  /**
   * `GET /alerts`: The alerts of this account, latest activity first.
   *
   * Open and acknowledged ones unless `status` says otherwise. What is raised again while it is not resolved counts in `occurrences` of the same alert. `reason` says why each came.
   *
   * Charges one request of the burst.
   */
  readonly getAlerts: {
    readonly query?: {
      /** At most 50. */
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
      /** With commas; OPEN and ACKNOWLEDGED when absent. */
      readonly status?: string | undefined;
      /** With commas; all when absent. */
      readonly severity?: string | undefined;
      /** With commas; all when absent. */
      readonly eventType?: string | undefined;
      readonly entityType?: string | undefined;
      /** Part of the value or the title. Beyond 10,000 matches `total` is 10,000. */
      readonly search?: string | undefined;
    } | undefined;
    readonly reply: {
      /** Latest activity first. */
      readonly alerts: readonly S.Alert[];
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
    };
  };
  /**
   * `PATCH /alerts/{id}`: Acknowledge, resolve or reopen an alert.
   *
   * Any status may follow any other. The finding of a `cve.finding` alert moves with it: acknowledged is acknowledged, resolved is patched, open is open again. 409 where a newer alert about the same thing is not resolved.
   *
   * Charges one request of the burst.
   */
  readonly patchAlertsId: {
    readonly path: {
      /** The id of an alert. */
      readonly id: string;
    };
    readonly body: {
      readonly status: string;
    };
    readonly reply: {
      readonly alert: S.Alert;
      /** Of an alert about a finding: how the finding stands now. */
      readonly finding?: S.CveWatchFinding;
    };
  };
  /**
   * `GET /alerts/metrics`: How many alerts there are, and how long they take.
   *
   * Charges one request of the burst.
   */
  readonly getAlertsMetrics: {
    readonly reply: {
      readonly open: number;
      readonly acknowledged: number;
      readonly resolved30d: number;
      /** Of what is not resolved. */
      readonly bySeverity: {
        readonly info: number;
        readonly low: number;
        readonly medium: number;
        readonly high: number;
        readonly critical: number;
      };
      /** Of what is not resolved. */
      readonly byType: {
        readonly 'reputation.malicious': number;
        readonly 'reputation.changed': number;
        readonly 'ransomware.claim': number;
        readonly 'certificate.changed': number;
        readonly 'whois.changed': number;
        readonly 'location.changed': number;
        readonly 'infrastructure.changed': number;
        readonly 'lookalike.found': number;
        readonly 'cve.finding': number;
      };
      /** Open without any activity for 72 hours. */
      readonly staleOpen: number;
      readonly oldestOpenAt: string | null;
      /** Until acknowledged, of the last 30 days. */
      readonly mttaHours: {
        /** Within one percent; null where nothing was counted. */
        readonly p50: number | null;
        /** Within one percent; null where nothing was counted. */
        readonly p90: number | null;
      };
      /** Hours open or acknowledged until the resolution that stands, of the last 30 days. */
      readonly mttrHours: {
        /** Within one percent; null where nothing was counted. */
        readonly p50: number | null;
        /** Within one percent; null where nothing was counted. */
        readonly p90: number | null;
      };
    };
  };
  /**
   * `GET /alerts/funnel`: Of the alerts of the last days: detected, opened, acknowledged, resolved.
   *
   * Charges one request of the burst.
   */
  readonly getAlertsFunnel: {
    readonly query?: {
      /** 1 to 90. */
      readonly days?: number | undefined;
    } | undefined;
    readonly reply: {
      readonly days: number;
      readonly stages: readonly ({
        readonly stage: 'detected' | 'opened' | 'acknowledged' | 'resolved';
        readonly count: number;
        /** Share of what was opened. */
        readonly rate: number;
      })[];
    };
  };
  /**
   * `GET /alerts/trends`: Alerts opened and resolved on each day, and how long resolving took.
   *
   * Charges one request of the burst.
   */
  readonly getAlertsTrends: {
    readonly query?: {
      /** 7 to 90; outside of it, the nearest of both. */
      readonly days?: number | undefined;
    } | undefined;
    readonly reply: {
      readonly success: true;
      readonly data: {
        readonly days: number;
        /** One for each day in UTC, oldest first. */
        readonly series: readonly ({
          readonly day: string;
          readonly opened: number;
          readonly resolved: number;
        })[];
        readonly mttr: {
          /** Within one percent; null where nothing was counted. */
          readonly p50Hours: number | null;
          /** Within one percent; null where nothing was counted. */
          readonly p90Hours: number | null;
          /** Within one percent; null where nothing was counted. */
          readonly p95Hours: number | null;
          readonly sampleSize: number;
        };
      };
      readonly timestamp: string;
    };
  };
  /**
   * `POST /search`: Which listed domains imitate this brand?
   *
   * Names that threat sources list now and that pass for the brand: one slip of the keyboard away (`typosquat`), with letters that look the same (`homoglyph`), under another suffix (`tld`), with words around it (`combosquat`), or as a subdomain of an unrelated name (`subdomain`). The most dangerous come first, and the searched name itself before all when it is listed (`exact`). No hit says only that no list names such a domain. A brand of three to five letters is found alone or with a common keyword, one of two letters alone. `keywords` may also be sent in a JSON or form body; the query string wins. Costs one check; the same search again within 24 hours costs nothing. 503 until the names have been made searchable for the first time.
   *
   * Charges checks of the month: 1; 0 for keywords that cannot be read, and for the same search within 24 hours. And one request of the burst.
   */
  readonly postSearch: {
    readonly query?: {
      /** A brand or its domain, 2 to 128 characters. A bare word is read as `.com`; of a URL or an e-mail address the host is taken. */
      readonly keywords?: string | undefined;
    } | undefined;
    readonly body?: {
      /** A brand or its domain, 2 to 128 characters. A bare word is read as `.com`; of a URL or an e-mail address the host is taken. */
      readonly keywords?: string | undefined;
    } | undefined;
    readonly reply: S.SearchResults;
  };
  /**
   * `POST /api/search`: Which listed domains imitate this brand?
   *
   * Names that threat sources list now and that pass for the brand: one slip of the keyboard away (`typosquat`), with letters that look the same (`homoglyph`), under another suffix (`tld`), with words around it (`combosquat`), or as a subdomain of an unrelated name (`subdomain`). The most dangerous come first, and the searched name itself before all when it is listed (`exact`). No hit says only that no list names such a domain. A brand of three to five letters is found alone or with a common keyword, one of two letters alone. `keywords` may also be sent in a JSON or form body; the query string wins. Costs one check; the same search again within 24 hours costs nothing. 503 until the names have been made searchable for the first time.
   *
   * Charges checks of the month: 1; 0 for keywords that cannot be read, and for the same search within 24 hours. And one request of the burst.
   */
  readonly postApiSearch: {
    readonly query?: {
      /** A brand or its domain, 2 to 128 characters. A bare word is read as `.com`; of a URL or an e-mail address the host is taken. */
      readonly keywords?: string | undefined;
    } | undefined;
    readonly body?: {
      /** A brand or its domain, 2 to 128 characters. A bare word is read as `.com`; of a URL or an e-mail address the host is taken. */
      readonly keywords?: string | undefined;
    } | undefined;
    readonly reply: S.SearchResults;
  };
  /**
   * `POST /mail/scan`: Is this e-mail message phishing or malware, and what should be done with it?
   *
   * Reads one message and answers with a verdict, the action to take and the reasons. `malicious` needs a listing of weight 0.90 or more for a link, a file or the sender; the shape of a message alone never asks for more than `review`. `clean` needs a DMARC pass that your own system reports, an established sender, files that are known and a message that was read whole. Send exactly one of `emlBase64`, `eml` and `message`. Nothing is run and no link is opened; nothing of the message is stored. docs/mail-scan.md explains every code.
   *
   * Charges scans of the month: 1.
   */
  readonly postMailScan: {
    readonly body: S.MailScanBody;
    readonly reply: S.MailScanResult;
  };
  /**
   * `GET /gate/quota`: How many scans of this month are used?
   *
   * Free of charge.
   */
  readonly getGateQuota: {
    readonly reply: S.GateQuota;
  };
  /**
   * `POST /gate/scan`: May a program read this text?
   *
   * Looks in a text or page for sentences that are meant for the program that reads it, and for links that threat lists name. `block`: a malicious link, or sentences of several kinds. `warn`: a listed link, such a sentence, or links that could not be read. The sentences are found by heuristics: a text that quotes one scores as well. Nothing of the content is stored, and no link is opened.
   *
   * Charges scans of the month: 1.
   */
  readonly postGateScan: {
    readonly body: S.GateScanBody;
    readonly reply: S.GateScan;
  };
  /**
   * `GET /gate/url`: May a program open this link?
   *
   * `clean` needs a host that the dataset knows as established and no threat list that names it; a link that the dataset does not know is `unknown`. The link is not opened.
   *
   * Charges scans of the month: 1.
   */
  readonly getGateUrl: {
    readonly query: {
      /** The web address, as it stands in a text. */
      readonly u: string;
    };
    readonly reply: S.GateUrl;
  };
  /**
   * `GET /gpt/check`: A check as one flat object of at most 4 KB, in words.
   *
   * The same verdict as `/check` at `standard`; the words are made from its evidence by rule.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getGptCheck: {
    readonly query: {
      /** IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood. */
      readonly query: string;
    };
    readonly reply: S.Brief;
  };
  /**
   * `GET /check/plain`: The verdict as one HTML page without scripts.
   *
   * The words of `/gpt/check` for a reader whose browser runs no scripts, or could not load those of the dashboard. Costs what `/check/stream` costs, and shares its limits without credentials.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getCheckPlain: {
    readonly query: {
      /** IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood. */
      readonly query: string;
    };
    readonly reply: string;
  };
  /**
   * `GET /gpt/search`: Listed look-alikes of a brand, in words.
   *
   * The verdict is that of the most dangerous one found; none found is no verdict on the brand.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getGptSearch: {
    readonly query: {
      /** A brand or its domain. */
      readonly keywords: string;
    };
    readonly reply: S.Brief;
  };
  /**
   * `GET /gpt/email`: A check of an e-mail address, in words.
   *
   * The same verdict as the evidence of `/api/check/email`.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getGptEmail: {
    readonly query: {
      /** E-mail address. */
      readonly email: string;
    };
    readonly reply: S.Brief;
  };
  /**
   * `GET /gpt/ransomware`: What ransomware groups claim about a domain, a name or themselves, in words.
   *
   * The answer of `/check/ransomware` as text. A claim is no verdict: `verdict` is always unknown. Without a query, statistics.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly getGptRansomware: {
    readonly query?: {
      /** Domain, IP address, hash, group or part of a name; without it, statistics. */
      readonly query?: string | undefined;
    } | undefined;
    readonly reply: S.Brief;
  };
  /**
   * `POST /ai-analysis`: A paragraph about an indicator, how far to trust it, and what to do.
   *
   * Worded from the evidence by rule, or by the model the operator configured; confidence and action are those of the check either way.
   *
   * Charges checks of the month: 1. And one request of the burst.
   */
  readonly postAiAnalysis: {
    readonly body: {
      /** IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood. */
      readonly query: string;
    };
    readonly reply: S.Analysis;
  };
  /**
   * `GET /reports`: The checks this account has saved, newest first.
   *
   * Charges one request of the burst.
   */
  readonly getReports: {
    readonly query?: {
      readonly page?: number | undefined;
      /** At most 100. */
      readonly limit?: number | undefined;
      /** Part of the entity, the note or a tag. */
      readonly search?: string | undefined;
      readonly entityType?: 'ip' | 'domain' | 'url' | 'hash' | 'email' | undefined;
    } | undefined;
    readonly reply: {
      /** Newest first, without `result`. */
      readonly reports: readonly S.ReportSummary[];
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /**
   * `POST /reports`: Keep the result of a check.
   *
   * Checks are never saved by themselves. The result is kept as it was sent, without any `pwnedPassword`. An account keeps at most 10,000 reports; the next one is refused with 409. `POST /reports` and `POST /reports/save` are the same.
   *
   * Charges one request of the burst.
   */
  readonly postReports: {
    readonly body: {
      /** What the result is about; the result's own `query` when absent. */
      readonly entity?: string | undefined;
      /** The answer of `GET /check` as it came, at most 256 KiB and 20 levels deep. A `pwnedPassword` block is not kept. */
      readonly result: {
        readonly [key: string]: unknown;
      };
      readonly note?: string | null | undefined;
      readonly tags?: readonly string[] | undefined;
    };
    readonly reply: {
      readonly report: S.Report;
    };
  };
  /**
   * `POST /reports/save`: Keep the result of a check.
   *
   * Checks are never saved by themselves. The result is kept as it was sent, without any `pwnedPassword`. An account keeps at most 10,000 reports; the next one is refused with 409. `POST /reports` and `POST /reports/save` are the same.
   *
   * Charges one request of the burst.
   */
  readonly postReportsSave: {
    readonly body: {
      /** What the result is about; the result's own `query` when absent. */
      readonly entity?: string | undefined;
      /** The answer of `GET /check` as it came, at most 256 KiB and 20 levels deep. A `pwnedPassword` block is not kept. */
      readonly result: {
        readonly [key: string]: unknown;
      };
      readonly note?: string | null | undefined;
      readonly tags?: readonly string[] | undefined;
    };
    readonly reply: {
      readonly report: S.Report;
    };
  };
  /**
   * `GET /reports/export`: Everything saved in a range of time, as a file.
   *
   * CSV (the default) has a row a report and is safe to open in a spreadsheet; JSON is `{reports[]}` with each result whole. At most 10,000 reports, which is all an account can have.
   *
   * Charges one request of the burst.
   */
  readonly getReportsExport: {
    readonly query?: {
      readonly format?: 'csv' | 'json' | undefined;
      /** Saved at or after; a day begins at 00:00 UTC. */
      readonly from?: string | undefined;
      /** Saved at or before; a day ends at 24:00 UTC. */
      readonly to?: string | undefined;
    } | undefined;
    readonly reply: string;
  };
  /**
   * `POST /reports/entity-export`: What was saved about one entity, as a file.
   *
   * The newest 100 reports about it, as JSON, CSV, or an HTML page that stands alone: no script, nothing loaded, the indicator defanged. 404 when none was saved.
   *
   * Charges one request of the burst.
   */
  readonly postReportsEntityExport: {
    readonly body: {
      readonly entityType: 'ip' | 'domain' | 'url' | 'hash' | 'email';
      readonly entityValue: string;
      readonly format?: 'json' | 'csv' | 'html' | undefined;
    };
    readonly reply: string;
  };
  /**
   * `GET /reports/{id}`: One saved check, with its result as it was.
   *
   * Charges one request of the burst.
   */
  readonly getReportsId: {
    readonly path: {
      /** Id of a saved check. */
      readonly id: string;
    };
    readonly reply: S.Report;
  };
  /**
   * `DELETE /reports/{id}`: Delete a saved check.
   *
   * Charges one request of the burst.
   */
  readonly deleteReportsId: {
    readonly path: {
      /** Id of a saved check. */
      readonly id: string;
    };
    readonly reply: undefined;
  };
  /**
   * `GET /blocklist/stats`: How long each shared list is, and when it last changed.
   *
   * `withheld`, `audience` and `last_updated` are beyond the contract. Counts are of the full lists.
   *
   * Free of charge.
   */
  readonly getBlocklistStats: {
    readonly reply: {
      readonly 'blocklist-ips-critical.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-ips-all.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-ips-c2.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-ips-botnet.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-domains-phishing.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-domains-malware.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-domains-ransomware.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
      readonly 'blocklist-domains-all.txt': {
        /** Lines of the full list. */
        readonly count: number;
        /** When its lines last changed; null before the first build. */
        readonly lastUpdated: string | null;
        /** The same. */
        readonly last_updated: string | null;
        /** Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them. */
        readonly withheld: number;
        /** Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract. */
        readonly excluded: {
          /** The score is below 35, or below 85 for the critical list. */
          readonly belowScore: number;
          /** Only sources list them that may not be passed on, or that are not exported. */
          readonly license: number;
          /** An allowlist contains them, or a service range or a popular name. */
          readonly allowlisted: number;
        } | null;
        readonly audience: 'public' | 'internal';
      };
    };
  };
  /**
   * `GET /blocklist/download/{filename}`: A shared list as a file.
   *
   * Without a key, with FREE and with a credential that is not accepted a tenth of the list, the same tenth every time; from BASIC on the full list. Never 401 or 403. Send the ETag of your file as If-None-Match: a 304 costs nothing. The guard is 600 files an hour for each address, 3,600 for each key. Parameters are extensions.
   *
   * Free of charge.
   */
  readonly getBlocklistDownloadFilename: {
    readonly path: {
      /** One of blocklist-ips-critical.txt, blocklist-ips-all.txt, blocklist-ips-c2.txt, blocklist-ips-botnet.txt, blocklist-domains-phishing.txt, blocklist-domains-malware.txt, blocklist-domains-ransomware.txt, blocklist-domains-all.txt. Any other answers 404. */
      readonly filename: string;
    };
    readonly query?: {
      /** Extension: the format of a program. Default: text, one entry on each line. */
      readonly format?: 'text' | 'csv' | 'nftables' | 'ipset' | 'iptables' | 'ip6tables' | 'mikrotik' | 'cisco' | 'juniper' | 'pf' | 'fortinet' | 'palo-alto' | 'haproxy' | 'squid' | 'hosts' | 'rpz' | 'unbound' | 'dnsmasq' | 'adblock' | 'rbldnsd' | 'suricata' | 'zeek' | undefined;
      /** Extension: leaves out entries with a lower score. */
      readonly min_score?: '35' | '60' | '85' | undefined;
      /** Extension: the highest scores, for devices that take no more; ties by value. */
      readonly max_entries?: '1000' | '5000' | '10000' | '50000' | '100000' | '150000' | '300000' | undefined;
      /** Extension: 1 adds score, family and reason as comments, where the format has comments. */
      readonly annotate?: '0' | '1' | undefined;
      /** Extension: leaves out what your organization allows; a listed range that holds an allowed address is split around it. 400 for a caller without an organization. */
      readonly apply?: 'org' | undefined;
      /** Extension: a CSV of what a guard keeps from the list, with the reason, instead of the list. Not with another parameter. */
      readonly view?: 'withheld' | undefined;
      /** Extension: the ETag of an earlier answer. Lines that begin with + and - instead of the list, if that version is at most seven days old and of the same variant; the whole list otherwise. */
      readonly since?: string | undefined;
    } | undefined;
    readonly reply: string;
  };
  /**
   * `GET /user/pulls`: Who pulled which list or TAXII collection with the keys of this account, newest first.
   *
   * Written a few seconds behind the download and kept for 90 days.
   *
   * Charges one request of the burst.
   */
  readonly getUserPulls: {
    readonly query?: {
      /** What was pulled; all kinds when absent. */
      readonly kind?: 'blocklist' | 'taxii' | undefined;
      /** `next` of the page before. */
      readonly before?: string | undefined;
      /** Rows of a page. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      readonly pulls: readonly ({
        readonly kind: 'blocklist' | 'taxii';
        readonly key: {
          readonly id: string;
          readonly label: string | null;
        };
        /** The list, or the TAXII collection. */
        readonly list: string;
        readonly variant: 'sample' | 'full';
        readonly at: string;
        readonly status: number;
        readonly bytes: number;
        /** Objects of the page; null for a list. */
        readonly objects: number | null;
        /** Whether another page followed; null for a list. */
        readonly more: boolean | null;
        readonly agent: string | null;
      })[];
      /** `before` of the next page; null on the last one. */
      readonly next: string | null;
    };
  };
  /**
   * `GET /mmdb/info`: What the address database holds, and when it was built.
   *
   * The names of the MaxMind DB format. Compare `sha256` with your file before you download again.
   *
   * Charges one request of the burst.
   */
  readonly getMmdbInfo: {
    readonly reply: S.MmdbInfo;
  };
  /**
   * `GET /mmdb/download`: The addresses and ranges of the shared list with their scores, as a MaxMind DB file.
   *
   * From PRO on. Both families in one tree. An address within a listed range has the score that a check of it would give from the same sources; an address without a record is not on the list. Send the ETag of your file as If-None-Match, and Range to go on with a download that broke off.
   *
   * Charges one request of the burst.
   */
  readonly getMmdbDownload: {
    readonly reply: Uint8Array;
  };
  /**
   * `POST /org/indicators`: Report indicators of your organization: what it blocks, or allows.
   *
   * Up to 100 at once, approved at once. They count as one more source in the checks of your organization, and nowhere else. One that cannot be read refuses the whole batch with 400 and its index in `details[]`. A day (UTC) takes 200 new, restored or changed ones on PRO and 100,000 on ENTERPRISE; a batch beyond that is refused with 429 and nothing is stored. `warnings[]` names what blocking a value would hit: named services, popular hosts, shared infrastructure, and addresses of your own, in a range with their count and an example. Sending one again that has not changed costs nothing, unless the answer warns of it: a warning counts as a change does; sending a revoked one restores it. `disposition: allow`, `reason` and `endsAt` are an extension: an allowed value, and every address in an allowed range, is left out of your lists, and your checks say so without changing the score.
   *
   * Charges one request of the burst.
   */
  readonly postOrgIndicators: {
    readonly body: {
      readonly indicators: readonly ({
        /** What `value` is; `entityType` is read too. */
        readonly type?: 'ip' | 'domain' | 'hash' | undefined;
        /** Another name of `type`. */
        readonly entityType?: 'ip' | 'domain' | 'hash' | undefined;
        /** An IP address or range, a domain, or an MD5, SHA-1 or SHA-256; defanged forms are read. */
        readonly value: string;
        /** Required for a blocked value. */
        readonly category?: string | undefined;
        readonly comment?: string | null | undefined;
        /** An extension. `allow` takes the value off the lists of this organization and is said in its checks. */
        readonly disposition?: 'block' | 'allow' | undefined;
        /** An extension. Why it is allowed or blocked; shown in the checks of the organization. */
        readonly reason?: string | null | undefined;
        /** An extension. When it stops to count by itself; never, when absent. */
        readonly endsAt?: string | null | undefined;
      })[];
    };
    readonly reply: {
      readonly message: string;
      /** New and restored ones; unchanged and updated ones are not counted. */
      readonly inserted: number;
      /** Every item of the request, in its order. */
      readonly indicators: readonly ({
        readonly id: string;
        readonly entityType: 'ip' | 'domain' | 'hash';
        readonly value: string;
      })[];
      /** What was stored although blocking or allowing it may hurt. Beyond the contract. */
      readonly warnings: readonly ({
        /** Place of the item in the request, from 0. */
        readonly index: number;
        readonly value: string;
        readonly code: 'private' | 'popular' | 'infrastructure' | 'service' | 'accused' | 'own';
        readonly message: string;
      })[];
    };
  };
  /**
   * `GET /org/indicators`: The indicators of your organization, newest first.
   *
   * Revoked ones included; `status=approved` leaves them out.
   *
   * Charges one request of the burst.
   */
  readonly getOrgIndicators: {
    readonly query?: {
      readonly entityType?: 'ip' | 'domain' | 'hash' | undefined;
      readonly status?: 'approved' | 'revoked' | undefined;
      /** Beyond the contract. */
      readonly disposition?: 'block' | 'allow' | undefined;
      readonly page?: number | undefined;
      /** At most 100. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      /** Newest first. */
      readonly indicators: readonly S.OrgIndicator[];
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /**
   * `DELETE /org/indicators/{id}`: Revoke an indicator of your organization.
   *
   * It leaves the lists in the same moment and the checks of every node within a second. Revoking it again answers the same. Reporting the value again restores it.
   *
   * Charges one request of the burst.
   */
  readonly deleteOrgIndicatorsId: {
    readonly path: {
      /** Id of an indicator of the organization. */
      readonly id: string;
    };
    readonly reply: {
      readonly indicator: {
        readonly id: string;
        readonly status: 'approved' | 'revoked';
      };
    };
  };
  /**
   * `GET /org/blocklists/stats`: How many addresses, names and hashes your organization blocks.
   *
   * Counts the lines of the three lists: approved, not ended and not allowed.
   *
   * Charges one request of the burst.
   */
  readonly getOrgBlocklistsStats: {
    readonly reply: {
      readonly ips: number;
      readonly domains: number;
      readonly hashes: number;
      readonly total: number;
      /** The last change of the list; null before the first. */
      readonly updatedAt: string | null;
    };
  };
  /**
   * `GET /org/blocklists/{entityType}`: What your organization blocks, as a list of one value a line.
   *
   * Approved values that have not ended, sorted by bytes, LF at each end of line. What the organization allows is left out: the value itself, and every address inside an allowed range; a range that holds an allowed address is split around it. Names below an allowed name stay. `If-None-Match` with the ETag of the last download answers 304.
   *
   * Charges one request of the burst.
   */
  readonly getOrgBlocklistsEntityType: {
    readonly path: {
      /** `ips`, `domains` or `hashes`; `ip`, `domain` and `hash` work too. */
      readonly entityType: string;
    };
    readonly reply: string;
  };
  /**
   * `GET /cve-watch/perimeters`: The perimeters of this account, newest first.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchPerimeters: {
    readonly query?: {
      readonly page?: number | undefined;
      /** At most 100. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      /** Newest first. */
      readonly perimeters: readonly S.CveWatchPerimeter[];
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /**
   * `POST /cve-watch/perimeters`: Watch something: a set of components, or the hosts of a domain.
   *
   * Above the number of the plan 403: 1 on FREE, 5 on BASIC, 25 on PRO, 500 on ENTERPRISE.
   *
   * Charges one request of the burst.
   */
  readonly postCveWatchPerimeters: {
    readonly body: {
      readonly name: string;
      /** `dependencies` for what is imported, `manual` for what is entered, `domain` for what hosts below a name run. */
      readonly kind?: 'domain' | 'dependencies' | 'manual' | undefined;
      /** The name of a domain perimeter; its `name` when absent. */
      readonly domain?: string | undefined;
    };
    readonly reply: S.CveWatchPerimeter;
  };
  /**
   * `GET /cve-watch/perimeters/{id}`: One perimeter, with what its data does not cover.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchPerimetersId: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly reply: S.CveWatchPerimeter;
  };
  /**
   * `PATCH /cve-watch/perimeters/{id}`: Rename a perimeter.
   *
   * Charges one request of the burst.
   */
  readonly patchCveWatchPerimetersId: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly body: {
      readonly name: string;
    };
    readonly reply: S.CveWatchPerimeter;
  };
  /**
   * `DELETE /cve-watch/perimeters/{id}`: Delete a perimeter with its components and findings.
   *
   * Charges one request of the burst.
   */
  readonly deleteCveWatchPerimetersId: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /cve-watch/perimeters/{id}/scan`: Match a perimeter anew.
   *
   * Rarely needed: new CVEs and changed components are matched by themselves. Of a domain perimeter it looks up the hosts again.
   *
   * Charges one request of the burst.
   */
  readonly postCveWatchPerimetersIdScan: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly reply: {
      readonly perimeterId: string;
      readonly status: 'queued';
    };
  };
  /**
   * `GET /cve-watch/perimeters/{id}/components`: The components of a perimeter.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchPerimetersIdComponents: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly query?: {
      readonly page?: number | undefined;
      /** At most 100. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      readonly components: readonly S.CveWatchComponent[];
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /**
   * `POST /cve-watch/perimeters/{id}/components`: Add a component: a CPE, a package URL, or a vendor and a product.
   *
   * A product without any CVE can be watched too. A package URL is matched by what is said of packages; it is never turned into a CPE. One that is there already is answered as it is.
   *
   * Charges one request of the burst.
   */
  readonly postCveWatchPerimetersIdComponents: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly body: {
      readonly vendor?: string | undefined;
      readonly product?: string | undefined;
      readonly version?: string | null | undefined;
      /** CPE 2.3, or the older form `cpe:/a:`. */
      readonly cpe?: string | null | undefined;
      /** A package URL; it is never turned into a CPE. */
      readonly purl?: string | null | undefined;
      readonly direct?: boolean | undefined;
    };
    readonly reply: S.CveWatchComponent;
  };
  /**
   * `DELETE /cve-watch/perimeters/{id}/components/{cid}`: Remove a component with its findings.
   *
   * Charges one request of the burst.
   */
  readonly deleteCveWatchPerimetersIdComponentsCid: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
      /** Id of a component of this account. */
      readonly cid: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /cve-watch/perimeters/{id}/import`: Import a lockfile or an SBOM.
   *
   * package-lock.json, composer.lock, requirements.txt, Gemfile.lock, Cargo.lock and CycloneDX JSON, detected when `format` is absent; SPDX 2.2, 2.3 and 3.0 JSON and the VEX statements of CycloneDX are an extension. An import of the same name replaces the earlier one; components that stay keep their findings. Development dependencies count with `includeDev`. Above 5 MiB 413; above the components of the plan 403 and nothing is stored.
   *
   * Charges one request of the burst.
   */
  readonly postCveWatchPerimetersIdImport: {
    readonly path: {
      /** Id of a perimeter of this account. */
      readonly id: string;
    };
    readonly body: {
      /** Name of the file. An import of the same name replaces the earlier one. */
      readonly name: string;
      /** Text of a lockfile or SBOM, at most 5 MiB. */
      readonly content: string;
      /** Detected when absent. */
      readonly format?: string | undefined;
      readonly includeDev?: boolean | undefined;
    };
    readonly reply: {
      readonly perimeter: S.CveWatchPerimeter;
      readonly added: number;
      readonly removed: number;
      /** What could not be watched, the first 1,000. */
      readonly skipped: readonly ({
        readonly name: string;
        readonly reason: string;
      })[];
    };
  };
  /**
   * `GET /cve-watch/findings`: CVEs that concern what this account watches, the most urgent first.
   *
   * P1: in the KEV catalogue, or exploitation is reported. P2: EPSS of .10 and above, or CRITICAL. P3: the rest. `coverage` says what was not checked: an empty list with gaps does not mean that nothing is vulnerable.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchFindings: {
    readonly query?: {
      readonly status?: 'OPEN' | 'ACKNOWLEDGED' | 'PATCHED' | 'NOT_AFFECTED' | 'SNOOZED' | undefined;
      readonly priority?: 'P1' | 'P2' | 'P3' | undefined;
      readonly cveId?: string | undefined;
      readonly perimeterId?: string | undefined;
      readonly page?: number | undefined;
      /** At most 100. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
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
      /** P1 first, newest first inside a priority. */
      readonly findings: readonly S.CveWatchFinding[];
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /**
   * `PATCH /cve-watch/findings/{id}`: Decide about a finding.
   *
   * SNOOZED needs `snoozedUntil`, at most 90 days ahead, and opens again then. A KEV entry or reported exploitation opens a snoozed or patched finding again.
   *
   * Charges one request of the burst.
   */
  readonly patchCveWatchFindingsId: {
    readonly path: {
      /** Id of a finding of this account. */
      readonly id: string;
    };
    readonly body: {
      readonly status: 'OPEN' | 'ACKNOWLEDGED' | 'PATCHED' | 'NOT_AFFECTED' | 'SNOOZED';
      /** Needed for SNOOZED, at most 90 days ahead. */
      readonly snoozedUntil?: string | null | undefined;
    };
    readonly reply: S.CveWatchFinding;
  };
  /**
   * `GET /cve-watch/cpe-search`: CPE names whose vendor or product holds a text.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchCpeSearch: {
    readonly query: {
      readonly q: string;
      readonly limit?: number | undefined;
    };
    readonly reply: {
      readonly items: readonly ({
        readonly cpe: string;
        readonly vendor: string;
        readonly product: string;
        readonly version: string | null;
        readonly title: string;
      })[];
    };
  };
  /**
   * `GET /cve-watch/vendor-search`: Vendors whose name holds a text.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchVendorSearch: {
    readonly query: {
      readonly q: string;
      readonly limit?: number | undefined;
    };
    readonly reply: {
      readonly items: readonly ({
        readonly vendor: string;
        /** How many. */
        readonly products: number;
      })[];
    };
  };
  /**
   * `GET /cve-watch/global-threats`: What came into the KEV catalogue in the last 30 days, and whether it concerns you.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchGlobalThreats: {
    readonly reply: {
      /** What is missing of the data behind the list, so that it may be short. Beyond the contract. */
      readonly gaps: readonly ({
        /** `ecosystem`: data of its packages is missing or old. `products`: data of products is. `product`: no CVE names it. `exploitation`: the KEV catalog is missing or old. `version`: components without one. `scan`: not scanned yet. `components`: none. `lookups`: hosts were not looked up. */
        readonly kind: 'ecosystem' | 'products' | 'product' | 'exploitation' | 'version' | 'scan' | 'components' | 'lookups';
        /** The ecosystem, the product or the data set; empty for other kinds. */
        readonly name: string;
        readonly components: number;
        readonly message: string;
      })[];
      /** Newest entry first. */
      readonly items: readonly ({
        readonly id: string;
        readonly title: string;
        /** In the catalog of known exploited vulnerabilities. Read it before `severity`. */
        readonly isKev: boolean;
        readonly exploitation: 'none' | 'poc' | 'active' | null;
        readonly severity: 'UNKNOWN' | 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
        readonly cvssScore: number | null;
        readonly epssScore: number | null;
        readonly published: string | null;
        readonly lastModified: string | null;
        readonly vendors: readonly string[];
        readonly products: readonly string[];
        readonly kevDateAdded: string | null;
        /** This account has a finding of it. */
        readonly matchesPerimeter: boolean;
      })[];
    };
  };
  /**
   * `GET /cve-watch/recent-publications`: CVEs of the last days, and whether they concern you.
   *
   * Charges one request of the burst.
   */
  readonly getCveWatchRecentPublications: {
    readonly query?: {
      readonly days?: number | undefined;
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      /** What is missing of the data behind the list, so that it may be short. Beyond the contract. */
      readonly gaps: readonly ({
        /** `ecosystem`: data of its packages is missing or old. `products`: data of products is. `product`: no CVE names it. `exploitation`: the KEV catalog is missing or old. `version`: components without one. `scan`: not scanned yet. `components`: none. `lookups`: hosts were not looked up. */
        readonly kind: 'ecosystem' | 'products' | 'product' | 'exploitation' | 'version' | 'scan' | 'components' | 'lookups';
        /** The ecosystem, the product or the data set; empty for other kinds. */
        readonly name: string;
        readonly components: number;
        readonly message: string;
      })[];
      /** Newest first. */
      readonly items: readonly ({
        readonly id: string;
        readonly title: string;
        /** In the catalog of known exploited vulnerabilities. Read it before `severity`. */
        readonly isKev: boolean;
        readonly exploitation: 'none' | 'poc' | 'active' | null;
        readonly severity: 'UNKNOWN' | 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
        readonly cvssScore: number | null;
        readonly epssScore: number | null;
        readonly published: string | null;
        readonly lastModified: string | null;
        readonly vendors: readonly string[];
        readonly products: readonly string[];
        readonly kevDateAdded: string | null;
        /** This account has a finding of it. */
        readonly matchesPerimeter: boolean;
      })[];
      readonly total: number;
    };
  };
  /**
   * `GET /user/webhooks/events`: The events a webhook can ask for, each with an example.
   *
   * Charges one request of the burst.
   */
  readonly getUserWebhooksEvents: {
    readonly reply: {
      readonly success: true;
      readonly data: {
        readonly events: readonly ({
          readonly name: 'alert.created' | 'alert.updated' | 'alert.resolved' | 'reputation.changed' | 'ransomware.claim' | 'cve.finding.created' | 'cve.finding.updated' | 'case.created' | 'case.updated' | 'indicator.approved' | 'indicator.revoked' | 'quota.warning' | 'quota.exceeded' | 'webhook.test';
          readonly description: string;
          /** Fields of `data` that a receiver should read. */
          readonly recommendedFields: readonly string[];
          /** A whole body. */
          readonly example: {
            readonly [key: string]: unknown;
          };
        })[];
        /** What a new host gets before any event. */
        readonly verification: {
          readonly name: 'webhook.verification';
          readonly description: string;
          /** A whole body. */
          readonly example: {
            readonly [key: string]: unknown;
          };
          /** The body that a receiver answers with. */
          readonly answer: {
            readonly [key: string]: unknown;
          };
        };
        readonly signature: {
          readonly scheme: 'standard-webhooks';
          readonly headers: readonly string[];
          readonly algorithm: 'HMAC-SHA256';
        };
      };
      readonly timestamp: string;
    };
  };
  /**
   * `GET /user/webhooks`: The webhooks of this account.
   *
   * Charges one request of the burst.
   */
  readonly getUserWebhooks: {
    readonly reply: {
      /** Oldest first. */
      readonly webhooks: readonly S.Webhook[];
    };
  };
  /**
   * `POST /user/webhooks`: Have events of this account sent to a URL.
   *
   * The secret is shown once; deliveries are signed with it as Standard Webhooks describes. The URL must be https and lead to a public address, now and at every delivery. A host that is new to this account gets a `webhook.verification` first; events are sent once it answered with the challenge (`verified`). 3 webhooks on BASIC, 10 on PRO, 50 on ENTERPRISE; above 403.
   *
   * Charges one request of the burst.
   */
  readonly postUserWebhooks: {
    readonly body: {
      /** An https URL on a public address, on port 443 or 8443. */
      readonly url: string;
      readonly description?: string | null | undefined;
      readonly events: readonly ('alert.created' | 'alert.updated' | 'alert.resolved' | 'reputation.changed' | 'ransomware.claim' | 'cve.finding.created' | 'cve.finding.updated' | 'case.created' | 'case.updated' | 'indicator.approved' | 'indicator.revoked' | 'quota.warning' | 'quota.exceeded' | 'webhook.test' | '*')[];
      readonly enabled?: boolean | undefined;
    };
    readonly reply: {
      readonly webhook: S.Webhook;
      /** Shown once: `whsec_` and 32 bytes in base64. */
      readonly secret: string;
    };
  };
  /**
   * `GET /user/webhooks/{id}`: One webhook.
   *
   * Charges one request of the burst.
   */
  readonly getUserWebhooksId: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly reply: {
      readonly webhook: S.Webhook;
    };
  };
  /**
   * `PATCH /user/webhooks/{id}`: Change a webhook, or switch it off and on.
   *
   * While it is off, events are kept for 7 days as `skipped`; a replay sends them. Switching it on forgets the failures of before. A URL of a new host is verified before it gets events; what waited becomes `skipped`.
   *
   * Charges one request of the burst.
   */
  readonly patchUserWebhooksId: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly body: {
      /** An https URL on a public address, on port 443 or 8443. */
      readonly url?: string | undefined;
      readonly description?: string | null | undefined;
      readonly events?: readonly ('alert.created' | 'alert.updated' | 'alert.resolved' | 'reputation.changed' | 'ransomware.claim' | 'cve.finding.created' | 'cve.finding.updated' | 'case.created' | 'case.updated' | 'indicator.approved' | 'indicator.revoked' | 'quota.warning' | 'quota.exceeded' | 'webhook.test' | '*')[] | undefined;
      readonly enabled?: boolean | undefined;
    };
    readonly reply: {
      readonly webhook: S.Webhook;
    };
  };
  /**
   * `DELETE /user/webhooks/{id}`: Delete a webhook with its deliveries.
   *
   * Charges one request of the burst.
   */
  readonly deleteUserWebhooksId: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /user/webhooks/{id}/rotate-secret`: Get a new secret.
   *
   * For 24 hours deliveries carry a signature of the new and of the previous secret.
   *
   * Charges one request of the burst.
   */
  readonly postUserWebhooksIdRotateSecret: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly reply: {
      readonly webhook: S.Webhook;
      /** Shown once. */
      readonly secret: string;
      /** Until then deliveries carry a signature of each secret. */
      readonly previousValidUntil: string;
    };
  };
  /**
   * `POST /user/webhooks/{id}/test`: Send a `webhook.test`, once and at once.
   *
   * A webhook that is not verified gets a `webhook.verification` with a new challenge instead, at most 60 an hour for each account.
   *
   * Charges one request of the burst.
   */
  readonly postUserWebhooksIdTest: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly reply: {
      readonly delivery: S.WebhookDelivery;
    };
  };
  /**
   * `POST /user/webhooks/{id}/verify`: Verify a webhook with the challenge that its receiver got.
   *
   * For receivers that cannot answer with the challenge. It works for 24 hours; a test sends a new one. A webhook that is verified already stays so.
   *
   * Charges one request of the burst.
   */
  readonly postUserWebhooksIdVerify: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly body: {
      /** `data.challenge` of the newest `webhook.verification`, as the receiver got it. */
      readonly challenge: string;
    };
    readonly reply: {
      readonly webhook: S.Webhook;
    };
  };
  /**
   * `GET /user/webhooks/{id}/deliveries`: What was sent to a webhook in the last 7 days, and what waits.
   *
   * Charges one request of the burst.
   */
  readonly getUserWebhooksIdDeliveries: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly query?: {
      /** `pending`: waits for its turn or its next attempt. `parked`: refused three times, sent again on its own while later ones go on. `skipped`: the webhook was disabled. */
      readonly status?: 'pending' | 'parked' | 'delivered' | 'failed' | 'skipped' | undefined;
      readonly page?: number | undefined;
      /** At most 100. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: {
      /** Newest first. */
      readonly deliveries: readonly S.WebhookDelivery[];
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /**
   * `POST /user/webhooks/{id}/deliveries/{dlv}/redeliver`: Send one delivery again, under the same id.
   *
   * One that waits is tried now, if it is the first of its webhook. Any other is sent once, with `outOfOrder: true`.
   *
   * Charges one request of the burst.
   */
  readonly postUserWebhooksIdDeliveriesDlvRedeliver: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
      /** Id of a delivery of this account. */
      readonly dlv: string;
    };
    readonly reply: {
      readonly delivery: S.WebhookDelivery;
    };
  };
  /**
   * `POST /user/webhooks/{id}/replay`: Send the deliveries of a time again, in order and under the same ids.
   *
   * They go before what waits, because they are older. A disabled webhook answers 409: enable it first.
   *
   * Charges one request of the burst.
   */
  readonly postUserWebhooksIdReplay: {
    readonly path: {
      /** Id of a webhook of this account. */
      readonly id: string;
    };
    readonly body: {
      /** Deliveries written since then; they are kept for 7 days. */
      readonly since: string;
      /** And before then; now when absent. */
      readonly until?: string | undefined;
      /** Which of them. `undelivered`: skipped and failed. */
      readonly status: 'skipped' | 'failed' | 'undelivered' | 'delivered';
    };
    readonly reply: {
      readonly webhookId: string;
      /** How many wait to be sent again, in order and under the same ids. */
      readonly deliveries: number;
      readonly status: 'queued';
    };
  };
  /**
   * `GET /cases`: The cases of this account, newest first.
   *
   * Charges one request of the burst.
   */
  readonly getCases: {
    readonly query?: {
      readonly status?: 'OPEN' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED' | undefined;
      readonly priority?: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | undefined;
      /** At most 500. A page ends earlier where its evidence passes 8 MiB. */
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    } | undefined;
    readonly reply: readonly S.ActionCase[];
  };
  /**
   * `POST /cases`: Open a case.
   *
   * Status OPEN, priority MEDIUM when none is sent. A linked alert, finding or saved check must be one of the same account. An account has the cases of its plan (1,000 on FREE, 10,000 on BASIC, 100,000 above), then 403.
   *
   * Charges one request of the burst.
   */
  readonly postCases: {
    readonly body: S.CreateActionCaseRequest;
    readonly reply: S.ActionCase;
  };
  /**
   * `GET /cases/{id}`: One case with its evidence.
   *
   * Charges one request of the burst.
   */
  readonly getCasesId: {
    readonly path: {
      /** Id of a case. */
      readonly id: string;
    };
    readonly reply: S.ActionCase;
  };
  /**
   * `PATCH /cases/{id}`: Change a case.
   *
   * At least one field; null clears one that may be empty. A change of status is written as evidence. CLOSED can only become OPEN, else 409.
   *
   * Charges one request of the burst.
   */
  readonly patchCasesId: {
    readonly path: {
      /** Id of a case. */
      readonly id: string;
    };
    readonly headers?: {
      /** The ETag of the case as you read it: 409 with who changed it and when, if it moved on since. */
      readonly 'If-Match'?: string | undefined;
    } | undefined;
    readonly body: S.UpdateActionCaseRequest;
    readonly reply: S.ActionCase;
  };
  /**
   * `POST /cases/{id}/evidence`: Add a piece of evidence to a case.
   *
   * Evidence is added and never changed or deleted. Answers the case with the new piece last. A case has at most 500 pieces and 4 MiB of them; all cases of an account together have the bytes of its plan (64 MiB on FREE, 1 GiB on BASIC, 10 GiB on PRO, 100 GiB on ENTERPRISE), then 403. A status can always change.
   *
   * Charges one request of the burst.
   */
  readonly postCasesIdEvidence: {
    readonly path: {
      /** Id of a case. */
      readonly id: string;
    };
    readonly body: S.AddCaseEvidenceRequest;
    readonly reply: S.ActionCase;
  };
  /**
   * `GET /cases/{id}/verify`: Is the evidence of this case as it was written?
   *
   * Computes every hash again and compares the chain with the case and with its daily seals. An export can be checked without this service.
   *
   * Charges one request of the burst.
   */
  readonly getCasesIdVerify: {
    readonly path: {
      /** Id of a case. */
      readonly id: string;
    };
    readonly reply: S.CaseVerification;
  };
  /**
   * `GET /cases/{id}/export`: One case as a file, with what a third party needs to check it.
   *
   * `json` has the hashed text of every piece, the newest daily seal and its way to the public root of that day; `md` is a page for people.
   *
   * Charges one request of the burst.
   */
  readonly getCasesIdExport: {
    readonly path: {
      /** Id of a case. */
      readonly id: string;
    };
    readonly query?: {
      readonly format?: 'json' | 'md' | undefined;
    } | undefined;
    readonly reply: S.ExportedCase;
  };
  /**
   * `GET /action-center/overview`: What needs a decision now: figures, a queue and the next steps.
   *
   * Alerts, findings and cases of the account. A part that cannot be read is zeros, named in `missing` with `degraded: true`.
   *
   * Charges one request of the burst.
   */
  readonly getActionCenterOverview: {
    readonly reply: S.ActionCenterOverview;
  };
  /**
   * `GET /risk-brief/latest`: The brief of the last week, or null before the first.
   *
   * Written every Monday at 00:00 UTC for accounts that watch something. The same facts give the same brief; the points of `scoreParts` add up to the score.
   *
   * Charges one request of the burst.
   */
  readonly getRiskBriefLatest: {
    readonly reply: S.RiskBriefReply;
  };
  /**
   * `GET /trust/assessment/schema`: Every field of `dataTrust` and `evidence`, as a JSON Schema and as a list.
   *
   * Generated from the schemas that shape the answers of a check, so both always agree.
   *
   * Charges one request of the burst.
   */
  readonly getTrustAssessmentSchema: {
    readonly reply: S.TrustAssessmentSchemaReply;
  };
  /**
   * `GET /stream`: Threats as they become known, without end.
   *
   * Server-Sent Events. Each data line is one `{type, data}`. An indicator that is accused for the first time is `threat.new`, one that other sources accuse than before `threat.updated`, and one whose level changed with its listings `reputation.changed`; mere ageing is not told. `ioc.published` says that an indicator entered a TAXII collection, `watchlist.alert` is about what you watch; both are sent to your organization alone where they are its own. Of a list that is loaded for the first time, and of what one run changes beyond 1,000 indicators, one `summary` is sent. `Last-Event-ID` resumes after that event: the log has 24 hours or the newest 100,000 shared events; where it does not reach back so far, a `gap` comes first. PRO holds 2 streams at once, ENTERPRISE 10; more are 429. A reader that is 1 MiB or 30 s behind is closed and may resume. The stream ends within 60 s when its key is revoked or its plan no longer has it.
   *
   * Charges one request of the burst.
   */
  readonly getStream: {
    readonly query?: {
      /** Which events, with commas: threat.new, threat.updated, reputation.changed, ioc.published, watchlist.alert. Default: all. */
      readonly types?: string | undefined;
      /** The least severe that is sent; low by default. The severity of an event is its level. */
      readonly severity?: 'low' | 'medium' | 'high' | 'critical' | undefined;
      /** Events of any of these categories, with commas, in either case; such as phishing,c2. Default: all. */
      readonly categories?: string | undefined;
    } | undefined;
    readonly reply: S.ThreatEvent;
  };
  /**
   * `GET /taxii`: TAXII discovery: where the API root is.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii: {
    readonly reply: {
      readonly title: string;
      readonly api_roots: readonly string[];
      readonly description: string;
      readonly default: string;
    };
  };
  /**
   * `GET /taxii/api-root`: The TAXII API root and its collections.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRoot: {
    readonly reply: {
      readonly collections: readonly ({
        readonly id: string;
        readonly title: string;
      })[];
      readonly title: string;
      readonly description: string;
      readonly versions: readonly string[];
      /** 0: nothing can be written. */
      readonly max_content_length: number;
    };
  };
  /**
   * `GET /taxii/api-root/collections`: The TAXII collections.
   *
   * Those of your organization are listed for its members. Each has a twin with the suffix `-observables`, which is not listed.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRootCollections: {
    readonly reply: {
      readonly collections: readonly ({
        readonly id: string;
        readonly title: string;
        readonly alias: string;
        readonly can_read: boolean;
        readonly can_write: boolean;
        readonly media_types: readonly string[];
      })[];
    };
  };
  /**
   * `GET /taxii/api-root/collections/{collectionId}`: A TAXII collection, and how many indicators it has by score.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRootCollectionsCollectionId: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
    };
    readonly reply: {
      readonly id: string;
      readonly title: string;
      readonly alias: string;
      readonly can_read: boolean;
      readonly can_write: boolean;
      readonly media_types: readonly string[];
      /** Indicators by score; shared collections only, and absent until they were counted once. */
      readonly x_svc_score_histogram?: {
        readonly [key: string]: number;
      };
      readonly x_svc_total?: number;
      readonly x_svc_computed_at?: string;
    };
  };
  /**
   * `GET /taxii/api-root/collections/{collectionId}/objects`: A page of a TAXII collection as a STIX bundle.
   *
   * Ascending by date added where Accept names application/taxii+json, newest created first otherwise (TAXII_ORDER). A page examines at most 8,000 objects, so it may be short or empty while X-TAXII-Has-More is true. Each token continues its own walk with the filters of the first page.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRootCollectionsCollectionIdObjects: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
    };
    readonly query?: {
      /** Objects of a page; default 50. PRO gets at most 1001, ENTERPRISE 8001. One of them is the identity. */
      readonly limit?: number | undefined;
      /** Only what was added later. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_after?: string | undefined;
      /** Only what was added earlier. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_before?: string | undefined;
      /** X-TAXII-Next of the page before. */
      readonly next?: string | undefined;
      /** Leaves out lower scores. */
      readonly min_score?: number | undefined;
      /** Leaves out higher scores. */
      readonly max_score?: number | undefined;
      /** Types, comma-separated. `match` counts only where Accept names application/taxii+json. */
      readonly 'match[type]'?: string | undefined;
      /** Ids, comma-separated. */
      readonly 'match[id]'?: string | undefined;
      /** `last`, `first`, `all` or times of `modified`; only the last version is kept. */
      readonly 'match[version]'?: string | undefined;
      /** 2.1 is the only one. */
      readonly 'match[spec_version]'?: string | undefined;
      /** Extension: adds malware objects and the relationships from indicators to them. */
      readonly with?: 'malware' | undefined;
    } | undefined;
    readonly reply: {
      readonly type: 'bundle';
      readonly id: string;
      /** The identity first, then the indicators. */
      readonly objects: readonly ({
        readonly type: string;
        readonly id: string;
        readonly [key: string]: unknown;
      })[];
      /** Whether X-TAXII-Next continues the walk. */
      readonly more: boolean;
      readonly next?: string;
    };
  };
  /**
   * `GET /taxii/api-root/collections/{collectionId}/manifest`: The same page, with id and dates of each object alone.
   *
   * Ascending by date added where Accept names application/taxii+json, newest created first otherwise (TAXII_ORDER). A page examines at most 8,000 objects, so it may be short or empty while X-TAXII-Has-More is true. Each token continues its own walk with the filters of the first page.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRootCollectionsCollectionIdManifest: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
    };
    readonly query?: {
      /** Objects of a page; default 50. PRO gets at most 1001, ENTERPRISE 8001. One of them is the identity. */
      readonly limit?: number | undefined;
      /** Only what was added later. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_after?: string | undefined;
      /** Only what was added earlier. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_before?: string | undefined;
      /** X-TAXII-Next of the page before. */
      readonly next?: string | undefined;
      /** Leaves out lower scores. */
      readonly min_score?: number | undefined;
      /** Leaves out higher scores. */
      readonly max_score?: number | undefined;
      /** Types, comma-separated. `match` counts only where Accept names application/taxii+json. */
      readonly 'match[type]'?: string | undefined;
      /** Ids, comma-separated. */
      readonly 'match[id]'?: string | undefined;
      /** `last`, `first`, `all` or times of `modified`; only the last version is kept. */
      readonly 'match[version]'?: string | undefined;
      /** 2.1 is the only one. */
      readonly 'match[spec_version]'?: string | undefined;
      /** Extension: adds malware objects and the relationships from indicators to them. */
      readonly with?: 'malware' | undefined;
    } | undefined;
    readonly reply: {
      readonly more: boolean;
      readonly next?: string;
      /** One for each object of the same query, in the same order. */
      readonly objects: readonly ({
        readonly id: string;
        readonly date_added: string;
        readonly version: string;
        readonly media_type: string;
      })[];
    };
  };
  /**
   * `GET /taxii/api-root/collections/{collectionId}/objects/{objectId}`: The identity of this service; indicators cannot be looked up by id.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRootCollectionsCollectionIdObjectsObjectId: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
      /** Id of the identity of this service. Indicators cannot be looked up by id: 404. */
      readonly objectId: string;
    };
    readonly reply: {
      readonly type: 'bundle';
      readonly id: string;
      /** The identity first, then the indicators. */
      readonly objects: readonly ({
        readonly type: string;
        readonly id: string;
        readonly [key: string]: unknown;
      })[];
      /** Whether X-TAXII-Next continues the walk. */
      readonly more: boolean;
      readonly next?: string;
    };
  };
  /**
   * `GET /taxii/api-root/collections/{collectionId}/objects/{objectId}/versions`: The versions of the identity, which has one.
   *
   * Charges one request of the burst.
   */
  readonly getTaxiiApiRootCollectionsCollectionIdObjectsObjectIdVersions: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
      /** Id of the identity of this service. Indicators cannot be looked up by id: 404. */
      readonly objectId: string;
    };
    readonly reply: {
      readonly more: boolean;
      readonly versions: readonly string[];
    };
  };
  /**
   * `GET /taxii2`: TAXII discovery: where the API root is.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2: {
    readonly reply: {
      readonly title: string;
      readonly api_roots: readonly string[];
      readonly description: string;
      readonly default: string;
    };
  };
  /**
   * `GET /taxii2/api-root`: The TAXII API root and its collections.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRoot: {
    readonly reply: {
      readonly collections: readonly ({
        readonly id: string;
        readonly title: string;
      })[];
      readonly title: string;
      readonly description: string;
      readonly versions: readonly string[];
      /** 0: nothing can be written. */
      readonly max_content_length: number;
    };
  };
  /**
   * `GET /taxii2/api-root/collections`: The TAXII collections.
   *
   * Those of your organization are listed for its members. Each has a twin with the suffix `-observables`, which is not listed.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRootCollections: {
    readonly reply: {
      readonly collections: readonly ({
        readonly id: string;
        readonly title: string;
        readonly alias: string;
        readonly can_read: boolean;
        readonly can_write: boolean;
        readonly media_types: readonly string[];
      })[];
    };
  };
  /**
   * `GET /taxii2/api-root/collections/{collectionId}`: A TAXII collection, and how many indicators it has by score.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRootCollectionsCollectionId: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
    };
    readonly reply: {
      readonly id: string;
      readonly title: string;
      readonly alias: string;
      readonly can_read: boolean;
      readonly can_write: boolean;
      readonly media_types: readonly string[];
      /** Indicators by score; shared collections only, and absent until they were counted once. */
      readonly x_svc_score_histogram?: {
        readonly [key: string]: number;
      };
      readonly x_svc_total?: number;
      readonly x_svc_computed_at?: string;
    };
  };
  /**
   * `GET /taxii2/api-root/collections/{collectionId}/objects`: A page of a TAXII collection as a STIX bundle.
   *
   * Ascending by date added where Accept names application/taxii+json, newest created first otherwise (TAXII_ORDER). A page examines at most 8,000 objects, so it may be short or empty while X-TAXII-Has-More is true. Each token continues its own walk with the filters of the first page.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRootCollectionsCollectionIdObjects: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
    };
    readonly query?: {
      /** Objects of a page; default 50. PRO gets at most 1001, ENTERPRISE 8001. One of them is the identity. */
      readonly limit?: number | undefined;
      /** Only what was added later. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_after?: string | undefined;
      /** Only what was added earlier. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_before?: string | undefined;
      /** X-TAXII-Next of the page before. */
      readonly next?: string | undefined;
      /** Leaves out lower scores. */
      readonly min_score?: number | undefined;
      /** Leaves out higher scores. */
      readonly max_score?: number | undefined;
      /** Types, comma-separated. `match` counts only where Accept names application/taxii+json. */
      readonly 'match[type]'?: string | undefined;
      /** Ids, comma-separated. */
      readonly 'match[id]'?: string | undefined;
      /** `last`, `first`, `all` or times of `modified`; only the last version is kept. */
      readonly 'match[version]'?: string | undefined;
      /** 2.1 is the only one. */
      readonly 'match[spec_version]'?: string | undefined;
      /** Extension: adds malware objects and the relationships from indicators to them. */
      readonly with?: 'malware' | undefined;
    } | undefined;
    readonly reply: {
      readonly type: 'bundle';
      readonly id: string;
      /** The identity first, then the indicators. */
      readonly objects: readonly ({
        readonly type: string;
        readonly id: string;
        readonly [key: string]: unknown;
      })[];
      /** Whether X-TAXII-Next continues the walk. */
      readonly more: boolean;
      readonly next?: string;
    };
  };
  /**
   * `GET /taxii2/api-root/collections/{collectionId}/manifest`: The same page, with id and dates of each object alone.
   *
   * Ascending by date added where Accept names application/taxii+json, newest created first otherwise (TAXII_ORDER). A page examines at most 8,000 objects, so it may be short or empty while X-TAXII-Has-More is true. Each token continues its own walk with the filters of the first page.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRootCollectionsCollectionIdManifest: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
    };
    readonly query?: {
      /** Objects of a page; default 50. PRO gets at most 1001, ENTERPRISE 8001. One of them is the identity. */
      readonly limit?: number | undefined;
      /** Only what was added later. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_after?: string | undefined;
      /** Only what was added earlier. RFC 3339; of the date that the indicator was added to the collection. */
      readonly added_before?: string | undefined;
      /** X-TAXII-Next of the page before. */
      readonly next?: string | undefined;
      /** Leaves out lower scores. */
      readonly min_score?: number | undefined;
      /** Leaves out higher scores. */
      readonly max_score?: number | undefined;
      /** Types, comma-separated. `match` counts only where Accept names application/taxii+json. */
      readonly 'match[type]'?: string | undefined;
      /** Ids, comma-separated. */
      readonly 'match[id]'?: string | undefined;
      /** `last`, `first`, `all` or times of `modified`; only the last version is kept. */
      readonly 'match[version]'?: string | undefined;
      /** 2.1 is the only one. */
      readonly 'match[spec_version]'?: string | undefined;
      /** Extension: adds malware objects and the relationships from indicators to them. */
      readonly with?: 'malware' | undefined;
    } | undefined;
    readonly reply: {
      readonly more: boolean;
      readonly next?: string;
      /** One for each object of the same query, in the same order. */
      readonly objects: readonly ({
        readonly id: string;
        readonly date_added: string;
        readonly version: string;
        readonly media_type: string;
      })[];
    };
  };
  /**
   * `GET /taxii2/api-root/collections/{collectionId}/objects/{objectId}`: The identity of this service; indicators cannot be looked up by id.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRootCollectionsCollectionIdObjectsObjectId: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
      /** Id of the identity of this service. Indicators cannot be looked up by id: 404. */
      readonly objectId: string;
    };
    readonly reply: {
      readonly type: 'bundle';
      readonly id: string;
      /** The identity first, then the indicators. */
      readonly objects: readonly ({
        readonly type: string;
        readonly id: string;
        readonly [key: string]: unknown;
      })[];
      /** Whether X-TAXII-Next continues the walk. */
      readonly more: boolean;
      readonly next?: string;
    };
  };
  /**
   * `GET /taxii2/api-root/collections/{collectionId}/objects/{objectId}/versions`: The versions of the identity, which has one.
   *
   * Charges one request of the burst.
   */
  readonly getTaxii2ApiRootCollectionsCollectionIdObjectsObjectIdVersions: {
    readonly path: {
      /** Id of a collection; with the suffix `-observables` its twin of observed data. */
      readonly collectionId: string;
      /** Id of the identity of this service. Indicators cannot be looked up by id: 404. */
      readonly objectId: string;
    };
    readonly reply: {
      readonly more: boolean;
      readonly versions: readonly string[];
    };
  };
  /**
   * `GET /user/keys`: The API keys of your account, without their secrets.
   *
   * Owners and administrators of an organization see the keys of every member; others see their own.
   *
   * Free of charge.
   */
  readonly getUserKeys: {
    readonly reply: S.ApiKeyList;
  };
  /**
   * `POST /user/keys`: Make a key pair. Its secret is shown this once.
   *
   * In a session that a key pair opened, the new key counts as made by that key: it inherits its allow list, may narrow it, and is revoked with it.
   *
   * Free of charge.
   */
  readonly postUserKeys: {
    readonly body: S.CreateKeyBody;
    readonly reply: S.RevealedApiKey;
  };
  /**
   * `DELETE /user/keys/{id}`: Revoke a key. It is refused everywhere within a second.
   *
   * Keys made in its sessions, and sessions of all of them, end with it, unless keepDescendants is true.
   *
   * Free of charge.
   */
  readonly deleteUserKeysId: {
    readonly path: {
      readonly id: string;
    };
    readonly query?: {
      /** true: keys made in sessions of this key stay and count as made by the key before it. They are revoked with it otherwise. Needs a session of another key. */
      readonly keepDescendants?: 'true' | 'false' | undefined;
    } | undefined;
    readonly reply: undefined;
  };
  /**
   * `POST /user/keys/{id}/rotate`: Give a key a new secret; the old one is accepted for up to a day.
   *
   * A session that a key pair opened can rotate that key and the keys made with it. Keys made in sessions of a rotated key stay.
   *
   * Free of charge.
   */
  readonly postUserKeysIdRotate: {
    readonly path: {
      readonly id: string;
    };
    readonly body?: S.RotateKeyBody | undefined;
    readonly reply: S.RevealedApiKey;
  };
  /**
   * `POST /api/auth/session`: Sign in to the dashboard with an API key pair.
   *
   * Opens a session and sets its cookie. The pair is judged as it is in X-API-KEY: 401 when it is wrong, 403 from an address outside its allow list. Only pages of the dashboard may call this.
   *
   * Free of charge.
   */
  readonly postApiAuthSession: {
    readonly body: S.SignInBody;
    readonly reply: S.SignedIn;
  };
  /**
   * `GET /api/auth/session`: The signed-in user and the rest of their month.
   *
   * Always 200: `signedIn` is false without a session. A cookie whose session has ended, or whose key may not be used from this address, is cleared. Costs nothing.
   *
   * Free of charge.
   */
  readonly getApiAuthSession: {
    readonly reply: S.SignedIn | S.SignedOut;
  };
  /**
   * `DELETE /api/auth/session`: Sign out: ends the session and clears its cookie.
   *
   * Also 204 without a session.
   *
   * Free of charge.
   */
  readonly deleteApiAuthSession: {
    readonly reply: undefined;
  };
  /**
   * `POST /api/auth/register`: Register with an e-mail address and a password.
   *
   * The answer is the same for every address; a letter to it says what happened. The account exists once the address is proven with POST /api/auth/verify. 409 where the service cannot send email.
   *
   * Free of charge.
   */
  readonly postApiAuthRegister: {
    readonly body: S.RegisterBody;
    readonly reply: S.Told;
  };
  /**
   * `POST /api/auth/verify`: Prove the address of a registration and sign in.
   *
   * Takes the token of the letter and the password of the registration: a person who did not register cannot be led to complete it. A token works once, for 24 hours. Sets the session cookie.
   *
   * Free of charge.
   */
  readonly postApiAuthVerify: {
    readonly body: S.VerifyBody;
    readonly reply: S.SignedIn;
  };
  /**
   * `POST /auth/resend-verification`: Ask for the letter of a registration again.
   *
   * Always 200 with the same words. The link of an earlier letter stops working.
   *
   * Free of charge.
   */
  readonly postAuthResendVerification: {
    readonly body: S.MailboxBody;
    readonly reply: S.Told;
  };
  /**
   * `POST /api/auth/login`: Sign in to the dashboard with an e-mail address and a password.
   *
   * Opens a session and sets its cookie, and one that marks the browser as a known device, whose tries are counted apart from those of others; a session that the request brings along ends. 401 with the same words for an unknown address and a wrong password. Where a second factor is set, `signedIn` is false: show it with the ticket (POST /api/auth/factor). 403 with `ssoRequired` and `organizationId` for a person whose organization enforces single sign-on; its owners may sign in with a second factor.
   *
   * Free of charge.
   */
  readonly postApiAuthLogin: {
    readonly body: S.LoginBody;
    readonly reply: S.SignedIn | S.FactorNeeded;
  };
  /**
   * `POST /api/auth/logout`: Sign out: ends the session and clears its cookie.
   *
   * Also 204 without a session.
   *
   * Free of charge.
   */
  readonly postApiAuthLogout: {
    readonly reply: undefined;
  };
  /**
   * `POST /api/auth/forgot`: Ask for a letter with a link to set a new password.
   *
   * The answer is the same for every address. 409 where the service cannot send email.
   *
   * Free of charge.
   */
  readonly postApiAuthForgot: {
    readonly body: S.MailboxBody;
    readonly reply: S.Told;
  };
  /**
   * `POST /api/auth/reset`: Set a new password with the token of a letter or of an invitation.
   *
   * Ends every session of the person and every other link. A token works once, for an hour (an invitation: three days). It opens no session: sign in with the new password.
   *
   * Free of charge.
   */
  readonly postApiAuthReset: {
    readonly body: S.ResetBody;
    readonly reply: S.Told;
  };
  /**
   * `POST /api/auth/confirm`: Prove again that it is you, with your password, a code or a passkey.
   *
   * Making and revoking keys, changing second factors and ending other sessions ask for a proof of the last ten minutes (403 with `confirmationRequired`). The session goes on under a new cookie.
   *
   * Free of charge.
   */
  readonly postApiAuthConfirm: {
    readonly body: S.ConfirmBody;
    readonly reply: S.Confirmed;
  };
  /**
   * `POST /api/keys/instant`: A key pair for an e-mail address, at once.
   *
   * The pair has 50 checks a month until the owner of the address claims it with the link of a letter. 409 for an address that has an account; 429 from the fourth key of a client address in a UTC day.
   *
   * Free of charge.
   */
  readonly postApiKeysInstant: {
    readonly body: S.MailboxBody;
    readonly reply: S.InstantKey;
  };
  /**
   * `POST /api/auth/claim`: Claim the account of an instant key: set a password and get a new secret.
   *
   * The old secret, keys made with it and their sessions end at once. The account has the limits of the FREE plan from here on. A token works once, for three days. Sets the session cookie.
   *
   * Free of charge.
   */
  readonly postApiAuthClaim: {
    readonly body: S.ResetBody;
    readonly reply: S.ClaimedKey;
  };
  /**
   * `GET /user`: You: your address and the organizations you belong to.
   *
   * Free of charge.
   */
  readonly getUser: {
    readonly reply: S.User;
  };
  /**
   * `GET /api/auth/sessions`: Your open sessions in all of your accounts, the last used first.
   *
   * Free of charge.
   */
  readonly getApiAuthSessions: {
    readonly reply: S.SessionList;
  };
  /**
   * `DELETE /api/auth/sessions/{id}`: End one of your sessions.
   *
   * Another session than the one that asks needs a proof of the last ten minutes (POST /api/auth/confirm).
   *
   * Free of charge.
   */
  readonly deleteApiAuthSessionsId: {
    readonly path: {
      readonly id: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /api/auth/switch`: Go on in another of your accounts: your own, or an organization you belong to.
   *
   * The session goes on under a new cookie and ends when the old one would have. 404 for an account that is not yours; 403 for a session of a key pair or of single sign-on, which works for one account.
   *
   * Free of charge.
   */
  readonly postApiAuthSwitch: {
    readonly body: S.SwitchBody;
    readonly reply: S.SignedIn;
  };
  /**
   * `GET /user/analytics`: What your account asked and was answered, day by day.
   *
   * Counts every answered request of the keys and sessions of your account, refusals included, once they are identified. A request is counted within ten seconds of its end. Counts are kept for 400 days.
   *
   * Charges one request of the burst.
   */
  readonly getUserAnalytics: {
    readonly query?: {
      /** How many days (UTC), today included; more than 365 are read as 365. */
      readonly days?: number | undefined;
    } | undefined;
    readonly reply: S.UsageAnalytics;
  };
  /**
   * `GET /subscription`: The plan of your account, its limits and what this month has used of them.
   *
   * Charges one request of the burst.
   */
  readonly getSubscription: {
    readonly reply: S.Subscription;
  };
  /**
   * `GET /metrics/subscription`: Every meter of your account: used, allowed, and when it starts again.
   *
   * Charges one request of the burst.
   */
  readonly getMetricsSubscription: {
    readonly reply: S.SubscriptionMetrics;
  };
  /**
   * `GET /billing/plans`: The plans and their limits.
   *
   * Free of charge.
   */
  readonly getBillingPlans: {
    readonly reply: S.PlanTable;
  };
  /**
   * `POST /billing/checkout`: Buy a plan: the address of the page where it is paid.
   *
   * 409 where no billing provider is configured: an operator assigns plans there.
   *
   * Charges one request of the burst.
   */
  readonly postBillingCheckout: {
    readonly body: S.CheckoutBody;
    readonly reply: S.BillingPage;
  };
  /**
   * `POST /billing/portal`: The address of the page where your subscription is changed or ended.
   *
   * 409 where no billing provider is configured: an operator assigns plans there.
   *
   * Charges one request of the burst.
   */
  readonly postBillingPortal: {
    readonly reply: S.BillingPage;
  };
  /**
   * `POST /billing/webhook`: Events of the payment provider.
   *
   * Signed by the provider: 400 for a signature that is wrong or older than five minutes. Each event is applied once; one that is known answers 200 again. 409 where no billing provider is configured: an operator assigns plans there.
   *
   * Free of charge.
   */
  readonly postBillingWebhook: {
    readonly body: S.BillingEvent;
    readonly reply: S.BillingEventReceived;
  };
  /**
   * `GET /onboarding`: The first steps of your account, and which of them are done.
   *
   * Steps are ticked by what your account has: a key, a check, a scan, a download, a second member, an indicator of its own. Checks and scans show a second or two later.
   *
   * Charges one request of the burst.
   */
  readonly getOnboarding: {
    readonly reply: S.Onboarding;
  };
  /**
   * `PATCH /onboarding`: Tick a step that the service cannot see, or take the tick back.
   *
   * Any other step answers 400. The answer is that of GET.
   *
   * Charges one request of the burst.
   */
  readonly patchOnboarding: {
    readonly body: S.OnboardingTick;
    readonly reply: S.Onboarding;
  };
  /**
   * `POST /api/auth/passkey/options`: Ask for a challenge to show a passkey with.
   *
   * For signing in, for POST /api/auth/factor and for POST /api/auth/confirm. The challenge works once, for five minutes. 409 where PUBLIC_WEB_URL is an address at which browsers offer no passkeys.
   *
   * Free of charge.
   */
  readonly postApiAuthPasskeyOptions: {
    readonly reply: S.PasskeyRequestOptions;
  };
  /**
   * `POST /api/auth/passkey`: Sign in to the dashboard with a passkey alone.
   *
   * Opens a session and sets its cookie; a session that the request brings along ends.
   *
   * Free of charge.
   */
  readonly postApiAuthPasskey: {
    readonly body: S.PasskeySignInBody;
    readonly reply: S.SignedIn;
  };
  /**
   * `POST /api/auth/factor`: Show the second factor that a sign-in with a password asked for.
   *
   * Opens a session and sets its cookie. The ticket of POST /api/auth/login opens one session, within five minutes and five tries. 401 when the factor is wrong or the ticket has ended.
   *
   * Free of charge.
   */
  readonly postApiAuthFactor: {
    readonly body: S.FactorBody;
    readonly reply: S.SignedIn;
  };
  /**
   * `GET /api/auth/passkeys`: Your passkeys, and which other second factors you have.
   *
   * Free of charge.
   */
  readonly getApiAuthPasskeys: {
    readonly reply: S.FactorList;
  };
  /**
   * `POST /api/auth/passkeys`: Register a passkey. It signs in alone, and is a second factor beside the password.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. The session goes on under a new cookie, and counts as opened with the passkey too.
   *
   * Free of charge.
   */
  readonly postApiAuthPasskeys: {
    readonly body: S.NewPasskeyBody;
    readonly reply: S.Passkey;
  };
  /**
   * `POST /api/auth/passkeys/options`: Ask for a challenge to make a passkey with.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. The challenge works once, for five minutes. 409 where PUBLIC_WEB_URL is an address at which browsers offer no passkeys.
   *
   * Free of charge.
   */
  readonly postApiAuthPasskeysOptions: {
    readonly reply: S.PasskeyCreationOptions;
  };
  /**
   * `DELETE /api/auth/passkeys/{id}`: Remove one of your passkeys.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. Recovery codes end with the last factor.
   *
   * Free of charge.
   */
  readonly deleteApiAuthPasskeysId: {
    readonly path: {
      readonly id: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /api/auth/totp`: Ask for a secret for an authenticator app. It is shown this once.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. It counts after its first code (POST /api/auth/totp/confirm), which it waits for 15 minutes. 409 where an app is set up.
   *
   * Free of charge.
   */
  readonly postApiAuthTotp: {
    readonly reply: S.NewTotp;
  };
  /**
   * `DELETE /api/auth/totp`: Remove the authenticator app.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. Recovery codes end with the last factor.
   *
   * Free of charge.
   */
  readonly deleteApiAuthTotp: {
    readonly reply: undefined;
  };
  /**
   * `POST /api/auth/totp/confirm`: Show the first code of the authenticator app, so that it counts from now on.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. The session goes on under a new cookie, and counts as opened with a code too.
   *
   * Free of charge.
   */
  readonly postApiAuthTotpConfirm: {
    readonly body: S.TotpConfirmBody;
    readonly reply: undefined;
  };
  /**
   * `POST /api/auth/recovery-codes`: Make ten recovery codes. They are shown this once, and the earlier ones end.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter. 409 without a passkey or an authenticator app.
   *
   * Free of charge.
   */
  readonly postApiAuthRecoveryCodes: {
    readonly reply: S.RecoveryCodes;
  };
  /**
   * `GET /api/organizations`: The organizations you belong to.
   *
   * Deleted ones are shown to their owners until they are erased. A session of a key pair or of single sign-on sees its own organization alone.
   *
   * Free of charge.
   */
  readonly getApiOrganizations: {
    readonly reply: S.OrganizationList;
  };
  /**
   * `POST /api/organizations`: Make an organization. You are its first owner.
   *
   * It starts on the FREE plan. Go on in it with POST /api/auth/switch. 409 beyond the most a person may make.
   *
   * Free of charge.
   */
  readonly postApiOrganizations: {
    readonly body: S.OrganizationBody;
    readonly reply: S.ListedOrganization;
  };
  /**
   * `POST /api/organization/restore`: Take the deletion of an organization back.
   *
   * By one of its owners, from their own account, until it is erased. Its keys work again. 404 for an organization of others.
   *
   * Free of charge.
   */
  readonly postApiOrganizationRestore: {
    readonly body: S.RestoreBody;
    readonly reply: S.Restored;
  };
  /**
   * `DELETE /api/user`: Delete your own account.
   *
   * You leave every organization; keys and sessions end at once and the address is free. Operators can restore the account until it is erased. 409 while you are the only owner of an organization.
   *
   * Free of charge.
   */
  readonly deleteApiUser: {
    readonly reply: S.Deletion;
  };
  /**
   * `GET /api/organization`: The organization that this session works for.
   *
   * Free of charge.
   */
  readonly getApiOrganization: {
    readonly reply: S.Organization;
  };
  /**
   * `PATCH /api/organization`: Give the organization another name.
   *
   * Free of charge.
   */
  readonly patchApiOrganization: {
    readonly body: S.OrganizationBody;
    readonly reply: S.Organization;
  };
  /**
   * `DELETE /api/organization`: Delete the organization.
   *
   * Its keys and sessions end at once. Owners can restore it until it is erased with everything it has; of the audit trail ids stay.
   *
   * Free of charge.
   */
  readonly deleteApiOrganization: {
    readonly reply: S.Deletion;
  };
  /**
   * `GET /api/organization/audit`: What was done in the organization, newest first.
   *
   * Free of charge.
   */
  readonly getApiOrganizationAudit: {
    readonly query?: {
      /** `next` of the page before. */
      readonly before?: string | undefined;
      /** Rows of a page. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly reply: S.AuditPage;
  };
  /**
   * `GET /api/organization/members`: Who belongs to the organization, owners first.
   *
   * Free of charge.
   */
  readonly getApiOrganizationMembers: {
    readonly reply: S.OrganizationMembers;
  };
  /**
   * `PATCH /api/organization/members/{userId}`: Give a member another role.
   *
   * Only owners make and change owners; 409 where the last owner would go. Needs a proof of the last ten minutes (POST /api/auth/confirm).
   *
   * Free of charge.
   */
  readonly patchApiOrganizationMembersUserId: {
    readonly path: {
      readonly userId: string;
    };
    readonly body: S.MemberBody;
    readonly reply: S.OrganizationMember;
  };
  /**
   * `DELETE /api/organization/members/{userId}`: Remove a member. Their keys and sessions of the organization end within a second.
   *
   * Invitations they sent end too. Only owners remove owners; 409 for the last one. Needs a proof of the last ten minutes (POST /api/auth/confirm).
   *
   * Free of charge.
   */
  readonly deleteApiOrganizationMembersUserId: {
    readonly path: {
      readonly userId: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /api/organization/leave`: Leave the organization. Your keys and sessions of it end.
   *
   * 409 for the last owner. Needs a proof of the last ten minutes (POST /api/auth/confirm).
   *
   * Free of charge.
   */
  readonly postApiOrganizationLeave: {
    readonly reply: undefined;
  };
  /**
   * `POST /api/organization/transfer`: Hand the organization over to a member. You stay as an administrator.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm).
   *
   * Free of charge.
   */
  readonly postApiOrganizationTransfer: {
    readonly body: S.TransferBody;
    readonly reply: undefined;
  };
  /**
   * `GET /api/organization/invitations`: Invitations that were not accepted yet, newest first.
   *
   * Free of charge.
   */
  readonly getApiOrganizationInvitations: {
    readonly reply: S.InvitationList;
  };
  /**
   * `POST /api/organization/invitations`: Invite a person by letter.
   *
   * The link works once, for seven days, for the owner of that address. Another invitation of the same address ends the link before. Needs a proof of the last ten minutes (POST /api/auth/confirm). 409 where the service cannot send email.
   *
   * Free of charge.
   */
  readonly postApiOrganizationInvitations: {
    readonly body: S.InvitationBody;
    readonly reply: S.Invitation;
  };
  /**
   * `DELETE /api/organization/invitations/{id}`: Withdraw an invitation. Its link stops working.
   *
   * Free of charge.
   */
  readonly deleteApiOrganizationInvitationsId: {
    readonly path: {
      readonly id: string;
    };
    readonly reply: undefined;
  };
  /**
   * `POST /api/invitations/accept`: Join an organization with the token of an invitation.
   *
   * For a signed-in person whose proven address is the one that was invited; 403 for another person. Go on in the organization with POST /api/auth/switch.
   *
   * Free of charge.
   */
  readonly postApiInvitationsAccept: {
    readonly body: S.AcceptBody;
    readonly reply: S.JoinedOrganization;
  };
  /**
   * `POST /api/auth/sso/lookup`: Whether an address belongs to a domain with single sign-on.
   *
   * Answers by the domain alone, never by whether the address has an account.
   *
   * Free of charge.
   */
  readonly postApiAuthSsoLookup: {
    readonly body: S.SsoLookupBody;
    readonly reply: S.SsoLookup;
  };
  /**
   * `POST /api/auth/sso/session`: Open the session of a finished single sign-on.
   *
   * With the token of the page that the callback led to, once, within a minute, in the same browser. The session works for the organization alone.
   *
   * Free of charge.
   */
  readonly postApiAuthSsoSession: {
    readonly body: S.SsoSessionBody;
    readonly reply: S.SignedIn;
  };
  /**
   * `GET /api/organization/sso`: The single sign-on settings of your organization.
   *
   * The client secret is never shown.
   *
   * Free of charge.
   */
  readonly getApiOrganizationSso: {
    readonly reply: S.SsoSettings;
  };
  /**
   * `PUT /api/organization/sso`: Set up single sign-on with an OpenID Connect provider.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). 400 where the discovery document of the issuer cannot be read. 409 where another organization has proven the domain, where it is to be enabled before the domain is proven, and where it is to be enforced before one sign-in or without an owner who could sign in by themselves.
   *
   * Free of charge.
   */
  readonly putApiOrganizationSso: {
    readonly body: S.SsoBody;
    readonly reply: S.SsoSettings;
  };
  /**
   * `DELETE /api/organization/sso`: Remove single sign-on.
   *
   * Needs a proof of the last ten minutes (POST /api/auth/confirm). Sessions that the provider opened end. Members stay; those who joined through it need an invitation to come back. Also 204 where there is none.
   *
   * Free of charge.
   */
  readonly deleteApiOrganizationSso: {
    readonly reply: undefined;
  };
  /**
   * `GET /stats`: How many threats are listed, and how fast the number grows.
   *
   * Computed every five minutes. `indicators`, `sourceCount` and `newestDataAt` are beyond the contract. 503 while a newly loaded corpus has not been counted yet: wrong numbers are not returned.
   *
   * Free of charge.
   */
  readonly getStats: {
    readonly reply: S.PublicStats;
  };
  /**
   * `GET /analytics`: The corpus in slices: kinds, categories, sources, levels, days, countries.
   *
   * With `metric` that slice alone, under its name. Computed every five minutes, as /stats; levels and countries at most once an hour.
   *
   * Free of charge.
   */
  readonly getAnalytics: {
    readonly query?: {
      /** One slice; all of them when absent. */
      readonly metric?: 'threatOverview' | 'categoryBreakdown' | 'topSources' | 'threatDistribution' | 'threatTimeline' | 'geoThreatMap' | 'vulnerabilityPatterns' | undefined;
    } | undefined;
    readonly reply: S.Analytics;
  };
  /**
   * `GET /metrics/threats`: The threats of the corpus: an overview, and by category.
   *
   * The slices `threatOverview` and `categoryBreakdown` of /analytics. Costs no check.
   *
   * Charges one request of the burst.
   */
  readonly getMetricsThreats: {
    readonly reply: S.ThreatMetrics;
  };
  /**
   * `GET /livez`: Is the process alive? Asks nothing of any engine.
   *
   * Free of charge.
   */
  readonly getLivez: {
    readonly reply: S.Liveness;
  };
  /**
   * `GET /readyz`: Should a load balancer send callers here?
   *
   * 503 while the local replica is not verified yet, and from the first moment of a shutdown.
   *
   * Free of charge.
   */
  readonly getReadyz: {
    readonly reply: S.Readiness;
  };
  /**
   * `GET /health`: How the service and its engines are.
   *
   * 200 when operational or degraded, 503 when the database is down.
   *
   * Free of charge.
   */
  readonly getHealth: {
    readonly reply: S.Health;
  };
  /**
   * `GET /platform/status`: The public status page: services, freshness, notices, what a canary measured.
   *
   * Always 200: a part that cannot be read is null, or as old as a day.
   *
   * Free of charge.
   */
  readonly getPlatformStatus: {
    readonly reply: S.PlatformStatus;
  };
  /**
   * `POST /contact`: Write to the operator of this service.
   *
   * Limited to 5 forms an hour for each client address. A form whose field `website` is filled in is answered the same and dropped.
   *
   * Free of charge.
   */
  readonly postContact: {
    readonly body: S.ContactBody;
    readonly reply: S.FormReply;
  };
  /**
   * `POST /feedback`: Say what is good or bad about this service.
   *
   * Limited to 5 forms an hour for each client address. A form whose field `website` is filled in is answered the same and dropped.
   *
   * Free of charge.
   */
  readonly postFeedback: {
    readonly body: S.FeedbackBody;
    readonly reply: S.FormReply;
  };
  /**
   * `POST /license`: Ask for a licence key.
   *
   * Limited to 5 forms an hour for each client address. A form whose field `website` is filled in is answered the same and dropped.
   *
   * Free of charge.
   */
  readonly postLicense: {
    readonly body: S.LicenseBody;
    readonly reply: S.FormReply;
  };
  /**
   * `POST /newsletter`: Subscribe to the newsletter.
   *
   * The address gets a letter and is subscribed once its link was used, within 7 days. The answer is the same for every address; an address gets one letter an hour. 409 where the service cannot send email. Limited to 5 forms an hour for each client address. A form whose field `website` is filled in is answered the same and dropped.
   *
   * Free of charge.
   */
  readonly postNewsletter: {
    readonly body: S.NewsletterBody;
    readonly reply: S.FormReply;
  };
  /**
   * `GET /newsletter/confirm`: The page that asks whether to confirm a subscription.
   *
   * It changes nothing, because programs that scan mail open links. 400 for a bad token.
   *
   * Free of charge.
   */
  readonly getNewsletterConfirm: {
    readonly query: {
      /** From the link of a letter. */
      readonly token: string;
    };
    readonly reply: string;
  };
  /**
   * `POST /newsletter/confirm`: Confirm a subscription.
   *
   * The button of the page. A second time changes nothing and is answered the same.
   *
   * Free of charge.
   */
  readonly postNewsletterConfirm: {
    readonly query: {
      /** From the link of a letter. */
      readonly token: string;
    };
    readonly body?: {
      /** One-Click */
      readonly 'List-Unsubscribe'?: string | undefined;
    } | undefined;
    readonly reply: S.FormReply;
  };
  /**
   * `GET /email-sequences/unsubscribe`: The page that asks whether to end letters of a kind.
   *
   * It changes nothing, because programs that scan mail open links. 400 for a bad token.
   *
   * Free of charge.
   */
  readonly getEmailSequencesUnsubscribe: {
    readonly query: {
      /** From the link of a letter. */
      readonly token: string;
    };
    readonly reply: string;
  };
  /**
   * `POST /email-sequences/unsubscribe`: End letters of a kind with one click.
   *
   * For the unsubscribe button of mail programs (RFC 8058): the body is `List-Unsubscribe=One-Click`. A second time changes nothing and is answered the same.
   *
   * Free of charge.
   */
  readonly postEmailSequencesUnsubscribe: {
    readonly query: {
      /** From the link of a letter. */
      readonly token: string;
    };
    readonly body?: {
      /** One-Click */
      readonly 'List-Unsubscribe'?: string | undefined;
    } | undefined;
    readonly reply: S.FormReply;
  };
  /**
   * `POST /api/mail/unsubscribe`: End letters of a kind, from a page of the dashboard.
   *
   * The token is that of the unsubscribe link of a letter.
   *
   * Free of charge.
   */
  readonly postApiMailUnsubscribe: {
    readonly body: S.TokenBody;
    readonly reply: S.FormReply;
  };
  /**
   * `GET /openapi.json`: This interface, described for programs (OpenAPI 3.1).
   *
   * Free of charge.
   */
  readonly getOpenapiJson: {
    readonly reply: {
      readonly openapi: string;
      readonly [key: string]: unknown;
    };
  };
  /**
   * `GET /openapi-actions.json`: The most used operations, described for automation tools and assistants.
   *
   * A short form of /openapi.json: 25 operations, each with a name and a text of at most 300 characters, with an API key as the only credential.
   *
   * Free of charge.
   */
  readonly getOpenapiActionsJson: {
    readonly query?: {
      /** The version of OpenAPI: 3.0 is what most automation tools read. */
      readonly version?: '3.0' | '3.1' | undefined;
    } | undefined;
    readonly reply: {
      readonly openapi: string;
      readonly [key: string]: unknown;
    };
  };
  /**
   * `GET /docs`: This interface, described for people.
   *
   * Free of charge.
   */
  readonly getDocs: {
    readonly reply: string;
  };
};

export const OPERATIONS = {
  getCheck: { method: 'GET', path: '/check', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckReputation: { method: 'GET', path: '/check/reputation', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckStream: { method: 'GET', path: '/check/stream', surface: 'both', reply: 'events', deadlineMs: 10000 },
  getCheckWhois: { method: 'GET', path: '/check/whois', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckCertificates: { method: 'GET', path: '/check/certificates', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckVulnerabilities: { method: 'GET', path: '/check/vulnerabilities', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckIntelowl: { method: 'GET', path: '/check/intelowl', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckTenant: { method: 'GET', path: '/check/tenant', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckRansomware: { method: 'GET', path: '/check/ransomware', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareFeed: { method: 'GET', path: '/ransomware/feed', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareStats: { method: 'GET', path: '/ransomware/stats', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwarePress: { method: 'GET', path: '/ransomware/press', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareSectorRisk: { method: 'GET', path: '/ransomware/sector-risk', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareSectorRiskHistory: { method: 'GET', path: '/ransomware/sector-risk/history', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareSectorVictims: { method: 'GET', path: '/ransomware/sector-victims', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareGroups: { method: 'GET', path: '/ransomware/groups', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRansomwareGroupProfile: { method: 'GET', path: '/ransomware/group-profile', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckEmail: { method: 'GET', path: '/check/email', surface: 'api', reply: 'json', deadlineMs: 10000 },
  getApiCheckEmail: { method: 'GET', path: '/api/check/email', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiCheckPhone: { method: 'GET', path: '/api/check/phone', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiCheckCrypto: { method: 'GET', path: '/api/check/crypto', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAnalyze: { method: 'POST', path: '/api/analyze', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiCheckPassword: { method: 'POST', path: '/api/check/password', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiPwnedPasswordsRangePrefix: { method: 'GET', path: '/api/pwned-passwords/range/{prefix}', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getBulkCheck: { method: 'GET', path: '/bulk/check', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postBulkCheck: { method: 'POST', path: '/bulk/check', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckLocation: { method: 'GET', path: '/check/location', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getThreatIntelAsn: { method: 'GET', path: '/threat-intel/asn', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getThreatIntelReverseIp: { method: 'GET', path: '/threat-intel/reverse-ip', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getNetworkIntel: { method: 'GET', path: '/network/intel', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getThreatIntelHistory: { method: 'GET', path: '/threat-intel/history', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getThreatIntelNetwork: { method: 'GET', path: '/threat-intel/network', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getThreatIntelSourceId: { method: 'GET', path: '/threat-intel/source/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getThreatIntelFamilyName: { method: 'GET', path: '/threat-intel/family/{name}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postSubmit: { method: 'POST', path: '/submit', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postSources: { method: 'POST', path: '/sources', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getSourcesStatistics: { method: 'GET', path: '/sources/statistics', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getPlatformDataFreshness: { method: 'GET', path: '/platform/data-freshness', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getPlatformDataOpsPipeline: { method: 'GET', path: '/platform/data-ops/pipeline', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveStatsEpss: { method: 'GET', path: '/cve/stats/epss', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveStatsTimeseries: { method: 'GET', path: '/cve/stats/timeseries', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCve: { method: 'GET', path: '/cve', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveRecent: { method: 'GET', path: '/cve/recent', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveId: { method: 'GET', path: '/cve/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveVendors: { method: 'GET', path: '/cve/vendors', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveProducts: { method: 'GET', path: '/cve/products', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveStatsTopProducts: { method: 'GET', path: '/cve/stats/top-products', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getMonitoring: { method: 'GET', path: '/monitoring', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postMonitoring: { method: 'POST', path: '/monitoring', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getMonitoringMetrics: { method: 'GET', path: '/monitoring/metrics', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postMonitoringToggleNotify: { method: 'POST', path: '/monitoring/toggle-notify', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postMonitoringUnwatch: { method: 'POST', path: '/monitoring/unwatch', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getAlerts: { method: 'GET', path: '/alerts', surface: 'both', reply: 'json', deadlineMs: 10000 },
  patchAlertsId: { method: 'PATCH', path: '/alerts/{id}', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getAlertsMetrics: { method: 'GET', path: '/alerts/metrics', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getAlertsFunnel: { method: 'GET', path: '/alerts/funnel', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getAlertsTrends: { method: 'GET', path: '/alerts/trends', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postSearch: { method: 'POST', path: '/search', surface: 'api', reply: 'json', deadlineMs: 10000 },
  postApiSearch: { method: 'POST', path: '/api/search', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postMailScan: { method: 'POST', path: '/mail/scan', surface: 'both', reply: 'json', deadlineMs: 60000 },
  getGateQuota: { method: 'GET', path: '/gate/quota', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postGateScan: { method: 'POST', path: '/gate/scan', surface: 'both', reply: 'json', deadlineMs: 60000 },
  getGateUrl: { method: 'GET', path: '/gate/url', surface: 'both', reply: 'json', deadlineMs: 20000 },
  getGptCheck: { method: 'GET', path: '/gpt/check', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCheckPlain: { method: 'GET', path: '/check/plain', surface: 'both', reply: 'text', deadlineMs: 10000 },
  getGptSearch: { method: 'GET', path: '/gpt/search', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getGptEmail: { method: 'GET', path: '/gpt/email', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getGptRansomware: { method: 'GET', path: '/gpt/ransomware', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postAiAnalysis: { method: 'POST', path: '/ai-analysis', surface: 'both', reply: 'json', deadlineMs: 15000 },
  getReports: { method: 'GET', path: '/reports', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postReports: { method: 'POST', path: '/reports', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postReportsSave: { method: 'POST', path: '/reports/save', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getReportsExport: { method: 'GET', path: '/reports/export', surface: 'both', reply: 'text', deadlineMs: 60000 },
  postReportsEntityExport: { method: 'POST', path: '/reports/entity-export', surface: 'both', reply: 'text', deadlineMs: 30000 },
  getReportsId: { method: 'GET', path: '/reports/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  deleteReportsId: { method: 'DELETE', path: '/reports/{id}', surface: 'both', reply: 'none', deadlineMs: 10000 },
  getBlocklistStats: { method: 'GET', path: '/blocklist/stats', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getBlocklistDownloadFilename: { method: 'GET', path: '/blocklist/download/{filename}', surface: 'both', reply: 'text', deadlineMs: 900000 },
  getUserPulls: { method: 'GET', path: '/user/pulls', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getMmdbInfo: { method: 'GET', path: '/mmdb/info', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getMmdbDownload: { method: 'GET', path: '/mmdb/download', surface: 'both', reply: 'bytes', deadlineMs: 900000 },
  postOrgIndicators: { method: 'POST', path: '/org/indicators', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getOrgIndicators: { method: 'GET', path: '/org/indicators', surface: 'both', reply: 'json', deadlineMs: 10000 },
  deleteOrgIndicatorsId: { method: 'DELETE', path: '/org/indicators/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getOrgBlocklistsStats: { method: 'GET', path: '/org/blocklists/stats', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getOrgBlocklistsEntityType: { method: 'GET', path: '/org/blocklists/{entityType}', surface: 'both', reply: 'text', deadlineMs: 60000 },
  getCveWatchPerimeters: { method: 'GET', path: '/cve-watch/perimeters', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postCveWatchPerimeters: { method: 'POST', path: '/cve-watch/perimeters', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getCveWatchPerimetersId: { method: 'GET', path: '/cve-watch/perimeters/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  patchCveWatchPerimetersId: { method: 'PATCH', path: '/cve-watch/perimeters/{id}', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  deleteCveWatchPerimetersId: { method: 'DELETE', path: '/cve-watch/perimeters/{id}', surface: 'both', reply: 'none', deadlineMs: 60000, takesIdempotencyKey: true },
  postCveWatchPerimetersIdScan: { method: 'POST', path: '/cve-watch/perimeters/{id}/scan', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getCveWatchPerimetersIdComponents: { method: 'GET', path: '/cve-watch/perimeters/{id}/components', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postCveWatchPerimetersIdComponents: { method: 'POST', path: '/cve-watch/perimeters/{id}/components', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  deleteCveWatchPerimetersIdComponentsCid: { method: 'DELETE', path: '/cve-watch/perimeters/{id}/components/{cid}', surface: 'both', reply: 'none', deadlineMs: 10000, takesIdempotencyKey: true },
  postCveWatchPerimetersIdImport: { method: 'POST', path: '/cve-watch/perimeters/{id}/import', surface: 'both', reply: 'json', deadlineMs: 60000, takesIdempotencyKey: true },
  getCveWatchFindings: { method: 'GET', path: '/cve-watch/findings', surface: 'both', reply: 'json', deadlineMs: 10000 },
  patchCveWatchFindingsId: { method: 'PATCH', path: '/cve-watch/findings/{id}', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getCveWatchCpeSearch: { method: 'GET', path: '/cve-watch/cpe-search', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveWatchVendorSearch: { method: 'GET', path: '/cve-watch/vendor-search', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveWatchGlobalThreats: { method: 'GET', path: '/cve-watch/global-threats', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCveWatchRecentPublications: { method: 'GET', path: '/cve-watch/recent-publications', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getUserWebhooksEvents: { method: 'GET', path: '/user/webhooks/events', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getUserWebhooks: { method: 'GET', path: '/user/webhooks', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postUserWebhooks: { method: 'POST', path: '/user/webhooks', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getUserWebhooksId: { method: 'GET', path: '/user/webhooks/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  patchUserWebhooksId: { method: 'PATCH', path: '/user/webhooks/{id}', surface: 'both', reply: 'json', deadlineMs: 60000, takesIdempotencyKey: true },
  deleteUserWebhooksId: { method: 'DELETE', path: '/user/webhooks/{id}', surface: 'both', reply: 'none', deadlineMs: 60000, takesIdempotencyKey: true },
  postUserWebhooksIdRotateSecret: { method: 'POST', path: '/user/webhooks/{id}/rotate-secret', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postUserWebhooksIdTest: { method: 'POST', path: '/user/webhooks/{id}/test', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postUserWebhooksIdVerify: { method: 'POST', path: '/user/webhooks/{id}/verify', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getUserWebhooksIdDeliveries: { method: 'GET', path: '/user/webhooks/{id}/deliveries', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postUserWebhooksIdDeliveriesDlvRedeliver: { method: 'POST', path: '/user/webhooks/{id}/deliveries/{dlv}/redeliver', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postUserWebhooksIdReplay: { method: 'POST', path: '/user/webhooks/{id}/replay', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getCases: { method: 'GET', path: '/cases', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postCases: { method: 'POST', path: '/cases', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getCasesId: { method: 'GET', path: '/cases/{id}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  patchCasesId: { method: 'PATCH', path: '/cases/{id}', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postCasesIdEvidence: { method: 'POST', path: '/cases/{id}/evidence', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  getCasesIdVerify: { method: 'GET', path: '/cases/{id}/verify', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getCasesIdExport: { method: 'GET', path: '/cases/{id}/export', surface: 'both', reply: 'json', deadlineMs: 30000 },
  getActionCenterOverview: { method: 'GET', path: '/action-center/overview', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getRiskBriefLatest: { method: 'GET', path: '/risk-brief/latest', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTrustAssessmentSchema: { method: 'GET', path: '/trust/assessment/schema', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getStream: { method: 'GET', path: '/stream', surface: 'both', reply: 'events', deadlineMs: 10000 },
  getTaxii: { method: 'GET', path: '/taxii', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRoot: { method: 'GET', path: '/taxii/api-root', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRootCollections: { method: 'GET', path: '/taxii/api-root/collections', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRootCollectionsCollectionId: { method: 'GET', path: '/taxii/api-root/collections/{collectionId}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRootCollectionsCollectionIdObjects: { method: 'GET', path: '/taxii/api-root/collections/{collectionId}/objects', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRootCollectionsCollectionIdManifest: { method: 'GET', path: '/taxii/api-root/collections/{collectionId}/manifest', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRootCollectionsCollectionIdObjectsObjectId: { method: 'GET', path: '/taxii/api-root/collections/{collectionId}/objects/{objectId}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxiiApiRootCollectionsCollectionIdObjectsObjectIdVersions: { method: 'GET', path: '/taxii/api-root/collections/{collectionId}/objects/{objectId}/versions', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2: { method: 'GET', path: '/taxii2', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRoot: { method: 'GET', path: '/taxii2/api-root', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRootCollections: { method: 'GET', path: '/taxii2/api-root/collections', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRootCollectionsCollectionId: { method: 'GET', path: '/taxii2/api-root/collections/{collectionId}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRootCollectionsCollectionIdObjects: { method: 'GET', path: '/taxii2/api-root/collections/{collectionId}/objects', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRootCollectionsCollectionIdManifest: { method: 'GET', path: '/taxii2/api-root/collections/{collectionId}/manifest', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRootCollectionsCollectionIdObjectsObjectId: { method: 'GET', path: '/taxii2/api-root/collections/{collectionId}/objects/{objectId}', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getTaxii2ApiRootCollectionsCollectionIdObjectsObjectIdVersions: { method: 'GET', path: '/taxii2/api-root/collections/{collectionId}/objects/{objectId}/versions', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getUserKeys: { method: 'GET', path: '/user/keys', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postUserKeys: { method: 'POST', path: '/user/keys', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  deleteUserKeysId: { method: 'DELETE', path: '/user/keys/{id}', surface: 'both', reply: 'none', deadlineMs: 10000 },
  postUserKeysIdRotate: { method: 'POST', path: '/user/keys/{id}/rotate', surface: 'both', reply: 'json', deadlineMs: 10000, takesIdempotencyKey: true },
  postApiAuthSession: { method: 'POST', path: '/api/auth/session', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiAuthSession: { method: 'GET', path: '/api/auth/session', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiAuthSession: { method: 'DELETE', path: '/api/auth/session', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiAuthRegister: { method: 'POST', path: '/api/auth/register', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthVerify: { method: 'POST', path: '/api/auth/verify', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postAuthResendVerification: { method: 'POST', path: '/auth/resend-verification', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postApiAuthLogin: { method: 'POST', path: '/api/auth/login', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthLogout: { method: 'POST', path: '/api/auth/logout', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiAuthForgot: { method: 'POST', path: '/api/auth/forgot', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthReset: { method: 'POST', path: '/api/auth/reset', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthConfirm: { method: 'POST', path: '/api/auth/confirm', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiKeysInstant: { method: 'POST', path: '/api/keys/instant', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthClaim: { method: 'POST', path: '/api/auth/claim', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getUser: { method: 'GET', path: '/user', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getApiAuthSessions: { method: 'GET', path: '/api/auth/sessions', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiAuthSessionsId: { method: 'DELETE', path: '/api/auth/sessions/{id}', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiAuthSwitch: { method: 'POST', path: '/api/auth/switch', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getUserAnalytics: { method: 'GET', path: '/user/analytics', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getSubscription: { method: 'GET', path: '/subscription', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getMetricsSubscription: { method: 'GET', path: '/metrics/subscription', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getBillingPlans: { method: 'GET', path: '/billing/plans', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postBillingCheckout: { method: 'POST', path: '/billing/checkout', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postBillingPortal: { method: 'POST', path: '/billing/portal', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postBillingWebhook: { method: 'POST', path: '/billing/webhook', surface: 'both', reply: 'json', deadlineMs: 15000 },
  getOnboarding: { method: 'GET', path: '/onboarding', surface: 'both', reply: 'json', deadlineMs: 10000 },
  patchOnboarding: { method: 'PATCH', path: '/onboarding', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postApiAuthPasskeyOptions: { method: 'POST', path: '/api/auth/passkey/options', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthPasskey: { method: 'POST', path: '/api/auth/passkey', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthFactor: { method: 'POST', path: '/api/auth/factor', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiAuthPasskeys: { method: 'GET', path: '/api/auth/passkeys', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthPasskeys: { method: 'POST', path: '/api/auth/passkeys', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthPasskeysOptions: { method: 'POST', path: '/api/auth/passkeys/options', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiAuthPasskeysId: { method: 'DELETE', path: '/api/auth/passkeys/{id}', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiAuthTotp: { method: 'POST', path: '/api/auth/totp', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiAuthTotp: { method: 'DELETE', path: '/api/auth/totp', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiAuthTotpConfirm: { method: 'POST', path: '/api/auth/totp/confirm', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiAuthRecoveryCodes: { method: 'POST', path: '/api/auth/recovery-codes', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiOrganizations: { method: 'GET', path: '/api/organizations', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiOrganizations: { method: 'POST', path: '/api/organizations', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiOrganizationRestore: { method: 'POST', path: '/api/organization/restore', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiUser: { method: 'DELETE', path: '/api/user', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiOrganization: { method: 'GET', path: '/api/organization', surface: 'web', reply: 'json', deadlineMs: 10000 },
  patchApiOrganization: { method: 'PATCH', path: '/api/organization', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiOrganization: { method: 'DELETE', path: '/api/organization', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiOrganizationAudit: { method: 'GET', path: '/api/organization/audit', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiOrganizationMembers: { method: 'GET', path: '/api/organization/members', surface: 'web', reply: 'json', deadlineMs: 10000 },
  patchApiOrganizationMembersUserId: { method: 'PATCH', path: '/api/organization/members/{userId}', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiOrganizationMembersUserId: { method: 'DELETE', path: '/api/organization/members/{userId}', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiOrganizationLeave: { method: 'POST', path: '/api/organization/leave', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiOrganizationTransfer: { method: 'POST', path: '/api/organization/transfer', surface: 'web', reply: 'none', deadlineMs: 10000 },
  getApiOrganizationInvitations: { method: 'GET', path: '/api/organization/invitations', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiOrganizationInvitations: { method: 'POST', path: '/api/organization/invitations', surface: 'web', reply: 'json', deadlineMs: 10000 },
  deleteApiOrganizationInvitationsId: { method: 'DELETE', path: '/api/organization/invitations/{id}', surface: 'web', reply: 'none', deadlineMs: 10000 },
  postApiInvitationsAccept: { method: 'POST', path: '/api/invitations/accept', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthSsoLookup: { method: 'POST', path: '/api/auth/sso/lookup', surface: 'web', reply: 'json', deadlineMs: 10000 },
  postApiAuthSsoSession: { method: 'POST', path: '/api/auth/sso/session', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getApiOrganizationSso: { method: 'GET', path: '/api/organization/sso', surface: 'web', reply: 'json', deadlineMs: 10000 },
  putApiOrganizationSso: { method: 'PUT', path: '/api/organization/sso', surface: 'web', reply: 'json', deadlineMs: 20000 },
  deleteApiOrganizationSso: { method: 'DELETE', path: '/api/organization/sso', surface: 'web', reply: 'none', deadlineMs: 10000 },
  getStats: { method: 'GET', path: '/stats', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getAnalytics: { method: 'GET', path: '/analytics', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getMetricsThreats: { method: 'GET', path: '/metrics/threats', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getLivez: { method: 'GET', path: '/livez', surface: 'api', reply: 'json', deadlineMs: 2000 },
  getReadyz: { method: 'GET', path: '/readyz', surface: 'api', reply: 'json', deadlineMs: 2000 },
  getHealth: { method: 'GET', path: '/health', surface: 'both', reply: 'json', deadlineMs: 2000 },
  getPlatformStatus: { method: 'GET', path: '/platform/status', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postContact: { method: 'POST', path: '/contact', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postFeedback: { method: 'POST', path: '/feedback', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postLicense: { method: 'POST', path: '/license', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postNewsletter: { method: 'POST', path: '/newsletter', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getNewsletterConfirm: { method: 'GET', path: '/newsletter/confirm', surface: 'both', reply: 'text', deadlineMs: 10000 },
  postNewsletterConfirm: { method: 'POST', path: '/newsletter/confirm', surface: 'both', reply: 'json', deadlineMs: 10000 },
  getEmailSequencesUnsubscribe: { method: 'GET', path: '/email-sequences/unsubscribe', surface: 'both', reply: 'text', deadlineMs: 10000 },
  postEmailSequencesUnsubscribe: { method: 'POST', path: '/email-sequences/unsubscribe', surface: 'both', reply: 'json', deadlineMs: 10000 },
  postApiMailUnsubscribe: { method: 'POST', path: '/api/mail/unsubscribe', surface: 'web', reply: 'json', deadlineMs: 10000 },
  getOpenapiJson: { method: 'GET', path: '/openapi.json', surface: 'both', reply: 'json', deadlineMs: 60000 },
  getOpenapiActionsJson: { method: 'GET', path: '/openapi-actions.json', surface: 'both', reply: 'json', deadlineMs: 60000 },
  getDocs: { method: 'GET', path: '/docs', surface: 'both', reply: 'text', deadlineMs: 60000 },
} as const;
