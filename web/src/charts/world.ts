import type { Feature, FeatureCollection, Geometry } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** A country at 1:110 million; its id is the three digits of ISO 3166-1. */
export type WorldCountry = Feature<Geometry, { readonly name: string }>;
export type World = { readonly countries: readonly WorldCountry[] };

let loading: Promise<World> | undefined;

/** The land of the earth, once for every map. Ours: no tiles, nobody else is asked. */
export function loadWorld(): Promise<World> {
  loading ??= read().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function read(): Promise<World> {
  const [{ default: atlas }, { feature }] = await Promise.all([
    import('world-atlas/countries-110m.json'),
    import('topojson-client'),
  ]);
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const { features } = feature(topology, topology.objects.countries) as FeatureCollection<
    Geometry,
    { name: string }
  >;
  return { countries: features };
}
