/** The caps of one scan (O18, O42). A message that reaches one is read in part, is called truncated, and is never clean. */
export const MAIL_LIMITS = {
  messageBytesMax: 10 * 1024 * 1024,
  linksMax: 200,
  attachmentsMax: 50,
  partsMax: 1_000,
  depthMax: 20,
  attachedLevelsMax: 2,
  contactsMax: 50,
  headersMax: 1_000,
  headerBlockBytesMax: 256 * 1024,
  headerValueMax: 16 * 1024,
  /** A message of 10 MiB in lines of 76 characters has 140,000. */
  linesMax: 180_000,
  /** Lines below 20 bytes: the MIME parser takes as long for each as for a full one. */
  shortLinesMax: 60_000,
  htmlCharsMax: 2 * 1024 * 1024,
  textCharsMax: 1024 * 1024,
  addressesMax: 20,
  hopsMax: 100,
  archiveEntriesMax: 500,
  /** What is unpacked of one Office file, for its relations. */
  unpackedBytesMax: 1024 * 1024,
} as const;
