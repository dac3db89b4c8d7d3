/**
 * The kind of a failure in words for callers. The message itself, of a driver or of the machine, is for the operator: it is
 * in the log and in `admin lists status`.
 */
export function plainReason(failure: string): string {
  if (/timeout|timed? out|took (too long|longer)/i.test(failure)) return 'reading the data took too long';
  if (/ECONN|connection|not queryable|terminat|shut(ting)? ?down|recovery/i.test(failure))
    return 'the database was not reachable';
  if (/ENOSPC|no space|disk full/i.test(failure)) return 'the disk is full';
  return 'an internal error, which the operator finds in the log of the worker';
}
