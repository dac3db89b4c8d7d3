/** What was measured of the addresses of a source. Shares are of all its addresses. */
export type AddressRecord = {
  readonly entries: number;
  /** Inside ranges of services that many share: a listing there accuses strangers. */
  readonly inServices: number;
  /** Listed by a source of another operator too. */
  readonly confirmed: number;
};

const record = (entries: number, inServicesPercent: number, confirmedPercent: number): AddressRecord => ({
  entries,
  inServices: inServicesPercent / 100,
  confirmed: confirmedPercent / 100,
});

/** Measured on the data set of 22 August 2026; nobody knows a set of addresses that people use, as there is of names. */
export const ADDRESS_RECORDS: ReadonlyMap<string, AddressRecord> = new Map(
  Object.entries({
    'maltrail-malware': record(129_000, 0.22, 7.6),
    'data-shield': record(100_243, 0.42, 21.4),
    'maltrail-malicious': record(41_133, 0.44, 9.8),
    'cps-log4j': record(25_277, 0.41, 30.8),
    'blocklist-de': record(24_880, 0.61, 33.7),
    urlhaus: record(23_079, 0.03, 2.1),
    'blp-malware-ip': record(20_641, 0.84, 0.4),
    threatfox: record(19_856, 1.66, 24.8),
    'cps-avanzato': record(16_087, 0.4, 44.2),
    'cins-army': record(15_000, 0.45, 65),
    'blocklist-de-mail': record(12_200, 0.02, 24),
    'blocklist-de-apache': record(9_459, 1.16, 9.1),
    'cps-abuse-ch': record(7_607, 0.55, 18.9),
    'phishing-database': record(7_137, 0.13, 1.4),
    'blocklist-de-bots': record(5_902, 0.58, 12.1),
    'blocklist-de-ssh': record(5_206, 0.1, 73.4),
    'c2intelfeeds-unverified': record(4_209, 0.55, 56.3),
    greensnow: record(3_411, 0.41, 73.4),
    'blocklist-de-imap': record(3_140, 0, 61.9),
    'c2-tracker': record(2_347, 0.13, 86.1),
    'cps-threatfox': record(2_337, 0.13, 81.1),
    'cps-sip': record(2_160, 0.19, 78.8),
    myip: record(1_750, 4.69, 41.6),
    'gpf-comics': record(1_589, 0, 9.8),
    'blocklist-de-bruteforce': record(967, 0.21, 62.7),
    sblam: record(937, 0.21, 22),
    c2intelfeeds: record(857, 0.12, 97.9),
    'cps-cobaltstrike': record(801, 0.25, 66.2),
    bruteforceblocker: record(547, 0, 27.1),
    'et-compromised': record(539, 0, 23.4),
    'cybercrime-tracker': record(373, 0.27, 8),
    'blocklist-de-strongips': record(349, 0, 76.5),
  }),
);
