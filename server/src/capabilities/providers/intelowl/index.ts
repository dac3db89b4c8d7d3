export { createIntelOwlProvider, reachesIntelOwl } from './intelowl-provider.ts';
