/** A pattern that reveals a technology. Its first group, if any, is the version. */
export type Sign = {
  readonly pattern: RegExp;
  readonly name: string;
  readonly category: Category;
};
type Category =
  | 'Web server'
  | 'Reverse proxy'
  | 'CDN'
  | 'Hosting'
  | 'Language'
  | 'Web framework'
  | 'CMS'
  | 'E-commerce'
  | 'Forum'
  | 'Wiki'
  | 'Site generator'
  | 'JavaScript library'
  | 'Analytics'
  | 'Bot protection'
  | 'Operating system';

const sign = (name: string, category: Category, pattern: RegExp): Sign => ({ name, category, pattern });

/** Patterns for header values; names in lower case. Cookies are not read, so their names are no sign. */
export const HEADER_SIGNS: Readonly<Record<string, readonly Sign[]>> = {
  server: [
    sign('nginx', 'Web server', /\bnginx(?:\/(\d[\w.+-]*))?/i),
    sign('OpenResty', 'Web server', /\bopenresty(?:\/(\d[\w.+-]*))?/i),
    sign('Tengine', 'Web server', /\btengine(?:\/(\d[\w.+-]*))?/i),
    sign('Apache HTTP Server', 'Web server', /^apache(?!-coyote)(?:\/(\d[\w.+-]*))?/i),
    sign('Apache Tomcat', 'Web server', /\bapache-coyote(?:\/(\d[\w.+-]*))?/i),
    sign('Microsoft IIS', 'Web server', /\bmicrosoft-iis(?:\/(\d[\w.+-]*))?/i),
    sign('Microsoft HTTPAPI', 'Web server', /\bmicrosoft-httpapi(?:\/(\d[\w.+-]*))?/i),
    sign('Kestrel', 'Web server', /\bkestrel\b/i),
    sign('LiteSpeed', 'Web server', /\blitespeed\b/i),
    sign('Caddy', 'Web server', /\bcaddy\b/i),
    sign('lighttpd', 'Web server', /\blighttpd(?:\/(\d[\w.+-]*))?/i),
    sign('Jetty', 'Web server', /\bjetty(?:\((\d[\w.+-]*)\))?/i),
    sign('gunicorn', 'Web server', /\bgunicorn(?:\/(\d[\w.+-]*))?/i),
    sign('Uvicorn', 'Web server', /\buvicorn\b/i),
    sign('Werkzeug', 'Web framework', /\bwerkzeug(?:\/(\d[\w.+-]*))?/i),
    sign('Python', 'Language', /\bpython(?:\/(\d[\w.+-]*))?/i),
    sign('PHP', 'Language', /\bphp(?:\/(\d[\w.+-]*))?/i),
    sign('OpenSSL', 'Web server', /\bopenssl(?:\/(\d[\w.+-]*))?/i),
    sign('Envoy', 'Reverse proxy', /\benvoy\b/i),
    sign('HAProxy', 'Reverse proxy', /\bhaproxy\b/i),
    sign('Varnish', 'Reverse proxy', /\bvarnish\b/i),
    sign('Cloudflare', 'CDN', /^cloudflare\b/i),
    sign('Akamai', 'CDN', /\bakamai/i),
    sign('Amazon CloudFront', 'CDN', /\bcloudfront\b/i),
    sign('Fastly', 'CDN', /\bfastly\b/i),
    sign('bunny.net', 'CDN', /\bbunnycdn\b/i),
    sign('Amazon S3', 'Hosting', /\bamazons3\b/i),
    sign('GitHub Pages', 'Hosting', /^github\.com$/i),
    sign('Vercel', 'Hosting', /^vercel\b/i),
    sign('Netlify', 'Hosting', /^netlify\b/i),
    sign('Google Web Server', 'Web server', /^(?:gws|ghs|esf|sffe)$/i),
    sign('Ubuntu', 'Operating system', /\(ubuntu\)/i),
    sign('Debian', 'Operating system', /\(debian\)/i),
    sign('Windows', 'Operating system', /\(win(?:32|64)\)/i),
  ],
  'x-powered-by': [
    sign('PHP', 'Language', /\bphp(?:\/(\d[\w.+-]*))?/i),
    sign('ASP.NET', 'Web framework', /\basp\.net\b/i),
    sign('Express', 'Web framework', /\bexpress\b/i),
    sign('Next.js', 'Web framework', /\bnext\.js(?: (\d[\w.+-]*))?/i),
    sign('Nuxt', 'Web framework', /\bnuxt\b/i),
    sign('Java Servlet', 'Web framework', /\bservlet(?:\/(\d[\w.+-]*))?/i),
    sign('JBoss', 'Web server', /\bjboss(?:[-/](\d[\w.+-]*))?/i),
    sign('Phusion Passenger', 'Web server', /\bphusion passenger\D{0,20}(\d[\w.+-]*)?/i),
    sign('WP Engine', 'Hosting', /\bwp engine\b/i),
    sign('Plesk', 'Hosting', /\bplesk/i),
  ],
  'x-aspnet-version': [sign('ASP.NET', 'Web framework', /^(\d[\w.+-]*)/)],
  'x-aspnetmvc-version': [sign('ASP.NET MVC', 'Web framework', /^(\d[\w.+-]*)/)],
  'x-generator': [sign('Drupal', 'CMS', /\bdrupal(?: (\d[\w.+-]*))?/i), sign('TYPO3', 'CMS', /\btypo3\b/i)],
  'x-drupal-cache': [sign('Drupal', 'CMS', /./)],
  'x-shopid': [sign('Shopify', 'E-commerce', /./)],
  'x-wix-request-id': [sign('Wix', 'CMS', /./)],
  'x-magento-cache-debug': [sign('Magento', 'E-commerce', /./)],
  'x-litespeed-cache': [sign('LiteSpeed', 'Web server', /./)],
  'x-varnish': [sign('Varnish', 'Reverse proxy', /./)],
  'x-envoy-upstream-service-time': [sign('Envoy', 'Reverse proxy', /./)],
  'cf-ray': [sign('Cloudflare', 'CDN', /./)],
  'x-amz-cf-id': [sign('Amazon CloudFront', 'CDN', /./)],
  'x-github-request-id': [sign('GitHub Pages', 'Hosting', /./)],
  'x-vercel-id': [sign('Vercel', 'Hosting', /./)],
  'x-nf-request-id': [sign('Netlify', 'Hosting', /./)],
  'fly-request-id': [sign('Fly.io', 'Hosting', /./)],
  via: [
    sign('Varnish', 'Reverse proxy', /\bvarnish\b/i),
    sign('Amazon CloudFront', 'CDN', /\bcloudfront\b/i),
    sign('Google Cloud load balancer', 'Reverse proxy', /^1\.1 google$/i),
  ],
};

export const GENERATOR_SIGNS: readonly Sign[] = [
  sign('WordPress', 'CMS', /^wordpress(?: (\d[\w.+-]*))?/i),
  sign('WooCommerce', 'E-commerce', /^woocommerce(?: (\d[\w.+-]*))?/i),
  sign('Elementor', 'CMS', /^elementor(?: (\d[\w.+-]*))?/i),
  sign('Drupal', 'CMS', /^drupal(?: (\d[\w.+-]*))?/i),
  sign('Joomla', 'CMS', /^joomla/i),
  sign('TYPO3', 'CMS', /^typo3(?: cms)?(?: (\d[\w.+-]*))?/i),
  sign('Ghost', 'CMS', /^ghost(?: (\d[\w.+-]*))?/i),
  sign('Wix', 'CMS', /^wix\.com/i),
  sign('Squarespace', 'CMS', /^squarespace/i),
  sign('Webflow', 'CMS', /^webflow/i),
  sign('Blogger', 'CMS', /^blogger/i),
  sign('Contao', 'CMS', /^contao/i),
  sign('Concrete CMS', 'CMS', /^concrete ?(?:5|cms)/i),
  sign('Hostinger Website Builder', 'CMS', /^hostinger website builder/i),
  sign('PrestaShop', 'E-commerce', /^prestashop/i),
  sign('Shopware', 'E-commerce', /^shopware(?: (\d[\w.+-]*))?/i),
  sign('MediaWiki', 'Wiki', /^mediawiki(?: (\d[\w.+-]*))?/i),
  sign('DokuWiki', 'Wiki', /^dokuwiki/i),
  sign('Discourse', 'Forum', /^discourse(?: (\d[\w.+-]*))?/i),
  sign('vBulletin', 'Forum', /^vbulletin(?: (\d[\w.+-]*))?/i),
  sign('Hugo', 'Site generator', /^hugo(?: (\d[\w.+-]*))?/i),
  sign('Jekyll', 'Site generator', /^jekyll(?: v?(\d[\w.+-]*))?/i),
  sign('Gatsby', 'Site generator', /^gatsby(?: (\d[\w.+-]*))?/i),
  sign('Docusaurus', 'Site generator', /^docusaurus(?: v?(\d[\w.+-]*))?/i),
  sign('Astro', 'Site generator', /^astro(?: v?(\d[\w.+-]*))?/i),
  sign('VitePress', 'Site generator', /^vitepress(?: v?(\d[\w.+-]*))?/i),
];

export const LINK_SIGNS: readonly Sign[] = [
  sign('WordPress', 'CMS', /\/wp-(?:content|includes)\//i),
  sign('Drupal', 'CMS', /\/sites\/(?:default|all)\/(?:files|modules|themes)\//i),
  sign('Joomla', 'CMS', /\/media\/(?:jui|system)\/js\//i),
  sign('Wix', 'CMS', /\bstatic\.(?:wixstatic|parastorage)\.com\b/i),
  sign('Squarespace', 'CMS', /\bstatic1?\.squarespace\.com\b/i),
  sign('Webflow', 'CMS', /\b(?:assets|cdn)[\w.-]*\.(?:website-files|webflow)\.com\b/i),
  sign('Shopify', 'E-commerce', /\bcdn\.shopify\.com\b|\/cdn\/shop\//i),
  sign('Magento', 'E-commerce', /\/static\/version\d+\/frontend\//i),
  sign('Next.js', 'Web framework', /\/_next\/static\//i),
  sign('Nuxt', 'Web framework', /\/_nuxt\//i),
  sign('SvelteKit', 'Web framework', /\/_app\/immutable\//i),
  sign('Astro', 'Site generator', /\/_astro\//i),
  sign('jQuery', 'JavaScript library', /\bjquery[-@/](\d+\.\d+(?:\.\d+)?)/i),
  sign('jQuery', 'JavaScript library', /\/jquery(?:\.slim)?(?:\.min)?\.js/i),
  sign('Bootstrap', 'JavaScript library', /\bbootstrap[-@/](\d+\.\d+(?:\.\d+)?)/i),
  sign('Bootstrap', 'JavaScript library', /\/bootstrap(?:\.bundle)?(?:\.min)?\.(?:js|css)/i),
  sign('React', 'JavaScript library', /\breact(?:-dom)?@(\d+\.\d+\.\d+)/i),
  sign('Vue', 'JavaScript library', /\bvue@(\d+\.\d+\.\d+)/i),
  sign('Font Awesome', 'JavaScript library', /\bfont-?awesome[/@](\d+\.\d+(?:\.\d+)?)/i),
  sign('Google Analytics', 'Analytics', /\bgoogle-analytics\.com\/|\bgoogletagmanager\.com\/gtag\//i),
  sign('Google Tag Manager', 'Analytics', /\bgoogletagmanager\.com\/(?:gtm|ns)\b/i),
  sign('Matomo', 'Analytics', /\/(?:matomo|piwik)\.js/i),
  sign('Plausible', 'Analytics', /\bplausible\.io\/js\//i),
  sign('HubSpot', 'Analytics', /\bjs\.hs-(?:scripts|analytics)\.(?:com|net)\b/i),
  sign('Cloudflare Turnstile', 'Bot protection', /\bchallenges\.cloudflare\.com\/turnstile/i),
  sign('reCAPTCHA', 'Bot protection', /\b(?:google\.com|recaptcha\.net)\/recaptcha\//i),
  sign('hCaptcha', 'Bot protection', /\bhcaptcha\.com\//i),
];
