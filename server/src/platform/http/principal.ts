/** Who is calling, as far as the transport needs to know. Access makes them; nobody else does. */
export type Principal = {
  readonly kind: 'key' | 'session' | 'operator' | 'anonymous';
  /** Key, session or operator id; for an anonymous caller the client address (IPv6: its /64). Safe to log. */
  readonly id: string;
  /** What pays: `org_…` for a member of an organization, `usr_…` otherwise, '' when anonymous. */
  readonly accountId: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly role: string | null;
  readonly plan: string;
};
