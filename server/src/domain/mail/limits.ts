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
  /** Above the 140,000 lines of a message of 10 MiB in lines of 76 characters. */
  linesMax: 180_000,
  /** The maximum of lines below 20 bytes, each of which costs the MIME parser as much as a full one. */
  shortLinesMax: 60_000,
  /** Of the HTML and of the plain text of a message; also the most bytes of each that the MIME parser gets to see. */
  htmlCharsMax: 2 * 1024 * 1024,
  textCharsMax: 1024 * 1024,
  addressesMax: 20,
  hopsMax: 100,
  archiveEntriesMax: 500,
  /** Bytes that are unpacked of one Office file, to read its relations. */
  unpackedBytesMax: 1024 * 1024,
} as const;
