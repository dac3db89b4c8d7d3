import type { Feature, FeatureCollection, Geometry } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';

export type WorldCountry = Feature<Geometry, { readonly name: string }>;
export type World = { readonly countries: readonly WorldCountry[] };

let loading: Promise<World> | undefined;

/** The country shapes, loaded once for every map from our own bundle: no tile server is contacted. */
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
