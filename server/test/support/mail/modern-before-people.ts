import { type ModernMail, pdf, UNSUBSCRIBE } from './modern-mail.ts';

/** Messages written before the rules for mail were frozen. */
export const BEFORE_PEOPLE: readonly ModernMail[] = [
  {
    kind: 'list',
    from: 'Kurt Adler via postfix-users <postfix-users@postfix.org>',
    subject: '[pfx] Re: smtpd_recipient_restrictions order',
    replyTo: 'Kurt Adler <kurt@adler-netz.at>',
    returnPath: 'postfix-users-bounces+b=firma@postfix.org',
    headers: [
      'List-Id: <postfix-users.postfix.org>',
      'List-Unsubscribe: <mailto:postfix-users-leave@postfix.org>',
    ],
    body: `On Mon, Aug 17, Bob wrote: does the order matter? Yes, it is evaluated from left to right. See http://www.postfix.org/SMTPD_ACCESS_README.html`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Mia Stern <mia@sternwarte-ulm.de>',
    subject: '[astro] Perseiden: Treffpunkt',
    returnPath: 'astro-bounces@lists.sternfreunde.de',
    auth: 'spf=pass smtp.mailfrom=lists.sternfreunde.de; dkim=fail header.d=sternwarte-ulm.de; dmarc=none header.from=sternwarte-ulm.de',
    headers: ['List-Id: <astro.lists.sternfreunde.de>'],
    body: `Hallo zusammen, wir treffen uns um 22 Uhr am Parkplatz. Karte: https://www.openstreetmap.org/#map=17/48.39/9.98`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Linus Holm <linus@holm-kernel.dk>',
    subject: '[PATCH v3 2/5] net: fix refcount in tun_get_user',
    returnPath: 'linux-kernel+bounces-1@vger.kernel.org',
    headers: ['List-Id: <linux-kernel.vger.kernel.org>', 'Precedence: bulk'],
    body: `The reference is dropped twice on the error path.\nSigned-off-by: Linus Holm <linus@holm-kernel.dk>\nLink: https://lore.kernel.org/r/20260817.1@holm-kernel.dk`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Google Groups <noreply@googlegroups.com>',
    subject: 'Zusammenfassung für elternrat-lindau@googlegroups.com',
    returnPath: 'elternrat-lindau+bncBC@googlegroups.com',
    body: `3 neue Beiträge in 2 Themen.
    Gruppe besuchen -> https://groups.google.com/g/elternrat-lindau`,
  },
  {
    kind: 'forward',
    from: 'Jonas Falk <jonas.falk@gmail.com>',
    subject: 'Fwd: Ferienwohnung Bestätigung',
    returnPath: 'jonas.falk+caf_=bernd=firma@gmail.com',
    body: `Schau mal, hat geklappt!
    ---------- Forwarded message ---------
    Von: Ferienhof Egger <info@ferienhof-egger.at>
    Wir bestätigen Ihre Buchung vom 5. bis 12. September. https://www.ferienhof-egger.at/anreise`,
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Sabine Roth <sabine@roth-architektur.de>',
    subject: 'WG: Pläne Erdgeschoss',
    auth: 'spf=softfail smtp.mailfrom=roth-architektur.de; dkim=pass header.d=roth-architektur.de; dmarc=pass (p=NONE) header.from=roth-architektur.de',
    body: `Hallo Bernd, zur Kenntnis. Sabine`,
    files: [pdf('EG_Plan_4.pdf')],
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Tom Weiss <tom.weiss@yahoo.com>',
    subject: 'Fwd: your parcel',
    auth: 'spf=fail smtp.mailfrom=yahoo.com; dkim=pass header.d=yahoo.com; dmarc=pass (p=REJECT) header.from=yahoo.com',
    body: `Is this yours? It came to my address.
    > Your parcel from Buchhandlung Kaiser is on its way. https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html`,
    isPlain: true,
  },
  {
    kind: 'ticket',
    from: 'Kartenwerk Support <support@kartenwerk.zendesk.com>',
    subject: '[Kartenwerk] Re: Export als GPX',
    returnPath: 'x@zendesk.com',
    body: `##- Bitte geben Sie Ihre Antwort oberhalb dieser Linie ein. -##
    Hallo Bernd, der Export steht jetzt im Menü unter Datei. Viele Grüße, Lena
    Anfrage ansehen -> https://kartenwerk.zendesk.com/hc/requests/8812`,
  },
  {
    kind: 'ticket',
    from: 'Jira <jira@kartenwerk.atlassian.net>',
    subject: '[JIRA] (KW-311) Karte lädt doppelt',
    body: `Lena Voss changed the status to Done.
    View issue -> https://kartenwerk.atlassian.net/browse/KW-311`,
  },
  {
    kind: 'ticket',
    from: 'GitLab <noreply@git.firma-werkzeug.de>',
    subject: 'werkzeug | Pipeline failed for main',
    replyTo: 'reply+5@git.firma-werkzeug.de',
    body: `Pipeline #20114 failed in stage test.
    git.firma-werkzeug.de -> https://git.firma-werkzeug.de/werkzeug/-/pipelines/20114`,
  },
  {
    kind: 'ticket',
    from: 'WordPress <wordpress@tischlerei-ott.de>',
    subject: 'Kontaktformular: Anfrage Einbauschrank',
    replyTo: 'familie.merz@web.de',
    body: `Name: Familie Merz. Telefon: 08382 9911. Nachricht: Wir hätten gern ein Angebot für einen Einbauschrank, 2,40 m breit.`,
    isPlain: true,
  },
  {
    kind: 'ticket',
    from: 'root <root@web01>',
    subject: 'Cron <root@web01> certbot renew',
    body: `Saving debug log to /var/log/letsencrypt/letsencrypt.log\nCert not yet due for renewal`,
    isPlain: true,
    returnPath: 'root@web01',
    auth: 'none',
  },
  {
    kind: 'bank',
    from: 'Sparkasse Westmünsterland <info@sparkasse-westmuensterland.de>',
    subject: 'Neue Nachricht in Ihrem elektronischen Postfach',
    body: `Sehr geehrter Herr Falk, in Ihrem Postfach liegt eine neue Mitteilung. Bitte melden Sie sich wie gewohnt im Online-Banking an; aus Sicherheitsgründen enthält diese Mail keinen Link.`,
  },
  {
    kind: 'bank',
    from: 'N26 <noreply@n26.com>',
    subject: 'Your statement for July is ready',
    body: `Hi Bernd, your July statement is in the app.
    Open the app -> https://n26.com/app/statements`,
  },
  {
    kind: 'bank',
    from: 'Chase <no.reply.alerts@chase.com>',
    subject: 'Your credit card payment is scheduled',
    body: `We will take $120.00 on Aug 25 for your card ending in 1180.
    See details -> https://secure.chase.com/web/auth/dashboard`,
  },
  {
    kind: 'bank',
    from: 'American Express <AmericanExpress@welcome.americanexpress.com>',
    subject: 'Your statement is ready to view',
    body: `Your card ending 41007. New balance 512,20 €.
    View statement -> https://www.americanexpress.com/de-de/account/login`,
  },
  {
    kind: 'delivery',
    from: 'DHL Paket <noreply@dhl.de>',
    subject: 'Ihr Paket kommt morgen',
    body: `Guten Tag, Ihr Paket von Musikhaus Sander kommt am Mittwoch zwischen 10 und 13 Uhr.
    Sendung verfolgen -> https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=0034`,
  },
  {
    kind: 'delivery',
    from: 'UPS <mcinfo@ups.com>',
    subject: 'UPS Update: Package Scheduled for Delivery Tomorrow',
    body: `Your package is arriving Wednesday by 7:00 PM. From: SANDER.
    Track -> https://www.ups.com/track?loc=de_DE&tracknum=1Z`,
  },
  {
    kind: 'delivery',
    from: 'Hofladen Egger <bestellung@hofladen-egger.at>',
    subject: 'Ihre Kiste wird heute gebracht',
    body: `Hallo, heute zwischen 15 und 18 Uhr bringt Sepp die Gemüsekiste. Bitte stellen Sie die leere Kiste vor die Tür.
    https://www.hofladen-egger.at/kiste -> https://www.hofladen-egger.at/kiste`,
  },
  {
    kind: 'delivery',
    from: 'DPD <noreply@service.dpd.de>',
    subject: 'Ihr DPD Paket ist unterwegs',
    body: `Hallo, der Fahrer hat noch 14 Stopps bis zu Ihnen.
    Live verfolgen -> https://my.dpd.de/redirect.aspx?action=1`,
  },
  {
    kind: 'personal',
    from: 'Oma Helga <helga.falk@t-online.de>',
    subject: 'Sonntag',
    body: `Lieber Bernd, kommt ihr am Sonntag zum Kaffee? Ich backe Zwetschgendatschi. Oma`,
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Anna Chase <anna.chase@outlook.com>',
    subject: 'Photos from the lake',
    body: `Here are the photos! The one with the boat is my favourite. https://photos.app.goo.gl/Ab3 Love, Anna`,
    files: [
      { type: 'image/jpeg', content: Buffer.from('ffd8ffe000104a464946', 'hex'), filename: 'IMG_2211.jpg' },
    ],
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Karl <karl.ledger@posteo.de>',
    subject: 'Re: Dachrinne',
    body: `Morgen um acht passt. Ich bringe die lange Leiter mit. Video, wie man es macht: https://youtu.be/dQw4w9WgXcQ`,
    isPlain: true,
  },
  {
    kind: 'personal',
    from: '李明 <liming@qq.com>',
    subject: '周末见',
    body: '周六下午三点在老地方见面，别忘了带书。',
    isPlain: true,
  },
  {
    kind: 'agency',
    from: 'IKEA Family <noreply@news.email.ikea.de>',
    subject: 'Deine Punkte im August',
    returnPath: 'b@bounce.email.ikea.de',
    body: `Hej Bernd, du hast 140 Punkte.
    Zum Konto -> https://click.news.email.ikea.de/?qs=abc`,
  },
  {
    kind: 'agency',
    from: 'Stadtwerke Lindau <umfrage@umfragebuero-seeblick.de>',
    subject: 'Wie zufrieden sind Sie mit uns?',
    replyTo: 'service@sw-lindau.de',
    body: `Im Auftrag der Stadtwerke fragen wir Sie nach Ihrer Zufriedenheit. Die Teilnahme dauert vier Minuten.
    Zur Umfrage -> https://umfragebuero-seeblick.de/u/sw26`,
  },
  {
    kind: 'agency',
    from: 'Deutsche Bahn <newsletter@mail.bahn.de>',
    subject: 'Sparpreise für den Herbst',
    returnPath: 'r@bounce.mailing.bahn.de',
    headers: UNSUBSCRIBE('https://mailing.bahn.de/u'),
    body: `Ab 17,90 € durch Deutschland.
    bahn.de -> https://mailing.bahn.de/go/1/abc
    Jetzt buchen -> https://mailing.bahn.de/go/1/def`,
  },
  {
    kind: 'agency',
    from: 'Decathlon <deals@kampagne-nordwind.de>',
    subject: 'Einladung zur Filialeröffnung in Lindau',
    replyTo: 'presse@decathlon.de',
    body: `Am 5. September eröffnet die neue Filiale. Kommen Sie zum Probefahren.
    Mehr erfahren -> https://kampagne-nordwind.de/decathlon-lindau`,
  },
];
