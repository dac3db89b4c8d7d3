import type { ClientPattern } from './client-pattern.ts';
import { elastic } from './elastic.ts';
import { misp, openctiConnector, splunk } from './oasis-client.ts';
import { opencti } from './opencti.ts';
import { sentinel } from './sentinel.ts';

export const ALL_CLIENTS: readonly ClientPattern[] = [
  opencti,
  openctiConnector,
  sentinel,
  splunk,
  elastic,
  misp,
];
