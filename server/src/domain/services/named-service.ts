export const SERVICE_KINDS = [
  'resolver',
  'name-server',
  'time',
  'crawler',
  'update',
  'sign-in',
  'mail',
  'certificate-status',
  'api',
] as const;
type ServiceKind = (typeof SERVICE_KINDS)[number];

/** What an operator publishes as one service. */
export type NamedService = {
  readonly name: string;
  readonly operator: string;
  readonly kind: ServiceKind;
  /** False where strangers act through the service, such as bots and webhooks: its name says nothing of them. */
  readonly vouches: boolean;
};

/** A service with what belongs to it. A name with a leading dot stands for itself and for every name below it. */
export type ServiceData = Omit<NamedService, 'vouches'> & {
  /** The operator's page that publishes the addresses or names. */
  readonly source: string;
  readonly values: string;
  readonly vouches?: false;
};
