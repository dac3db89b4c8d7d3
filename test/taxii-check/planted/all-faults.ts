import { CLIENT_FAULTS } from './client-faults.ts';
import { MANIFEST_FAULTS, PAGE_FAULTS } from './page-faults.ts';
import type { PlantedFault } from './planted-fault.ts';
import { SERVER_FAULTS } from './server-faults.ts';
import { STIX_FAULTS } from './stix-faults.ts';

export const ALL_FAULTS: readonly PlantedFault[] = [
  ...SERVER_FAULTS,
  ...PAGE_FAULTS,
  ...MANIFEST_FAULTS,
  ...STIX_FAULTS,
  ...CLIENT_FAULTS,
];
