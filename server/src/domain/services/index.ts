export { SERVICE_RANGES, serviceOfAddress } from './address-ranges.ts';
export { findService, SERVICE_ADDRESSES, SERVICE_SOURCES, serviceOfSource } from './find-service.ts';
export { type NamedService, SERVICE_KINDS } from './named-service.ts';
export { type ServiceWithin, servicesWithin } from './services-within.ts';
