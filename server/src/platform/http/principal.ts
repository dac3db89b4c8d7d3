/** The caller, as far as the transport needs to know it. Only the access capability creates principals. */
export type Principal = {
  readonly kind: 'key' | 'session' | 'operator' | 'anonymous';
  /** The id of the key or session; the name of the operator; the client address (IPv6: its /64) when anonymous. Safe to log. */
  readonly id: string;
  /** The account that pays: `org_…` for a member of an organization, `usr_…` otherwise, '' when anonymous. */
  readonly accountId: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly role: string | null;
  readonly plan: string;
};
