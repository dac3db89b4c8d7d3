import { LOGO, type ModernMail, pdf, UNSUBSCRIBE } from './modern-mail.ts';

/** Messages written after the rules for mail were frozen; no rule was changed for them. */
export const AFTER_FIRMS: readonly ModernMail[] = [
  {
    kind: 'receipt',
    from: 'Steam Support <noreply@steampowered.com>',
    subject: 'Thank you for your Steam purchase!',
    body: `Thank you for your recent transaction. The item below has been added to your library: Outer Wilds, 22,99 €.
    Steam Support -> https://help.steampowered.com/`,
  },
  {
    kind: 'receipt',
    from: 'Airbnb <automated@airbnb.com>',
    subject: 'Your receipt from Airbnb',
    body: `Receipt ID RC4H2. Total paid 412,00 €. Three nights in Trento.
    Go to itinerary -> https://www.airbnb.de/trips/v1/HM2`,
  },
  {
    kind: 'receipt',
    from: 'Fahrrad Zipp <shop@fahrrad-zipp.de>',
    subject: 'Bestellung #20417 bei Fahrrad Zipp',
    returnPath: 'b@eu.shopifyemail.com',
    body: `Danke für deine Bestellung! Wir packen gerade.
    Bestellung ansehen -> https://fahrrad-zipp.de/orders/20417
    oder besuche unseren Shop -> https://fahrrad-zipp.de`,
  },
  {
    kind: 'receipt',
    from: 'Klarna <noreply@klarna.de>',
    subject: 'Deine Rechnung von Tierbedarf Lux',
    body: `Hallo Bernd, 34,50 € sind bis 16. September fällig.
    In der App bezahlen -> https://app.klarna.com/payments`,
  },
  {
    kind: 'reset',
    from: 'Slack <feedback@slack.com>',
    subject: 'Your Slack confirmation code: 8XK-201',
    body: `Confirm your email address. Your confirmation code is below: 8XK-201. Enter it in your open browser window.
    Slack Help Centre -> https://slack.com/help`,
  },
  {
    kind: 'reset',
    from: 'Immich <immich@fotos.familie-falk.net>',
    subject: 'Reset your password',
    body: `Somebody asked to reset the password of bernd. The link is valid for an hour.
    fotos.familie-falk.net -> https://fotos.familie-falk.net/reset?t=4`,
  },
  {
    kind: 'reset',
    from: 'Volkshochschule Bodensee <kurse@vhs-bodensee-anmeldung.de>',
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    body: `Willkommen! Bitte bestätigen Sie Ihre Adresse, damit wir Ihnen Kursunterlagen senden können.
    Adresse bestätigen -> https://vhs-bodensee-anmeldung.de/opt-in/77f`,
  },
  {
    kind: 'reset',
    from: 'Dropbox <no-reply@dropbox.com>',
    subject: 'New sign-in to your Dropbox account',
    body: `We noticed a new sign-in from Firefox on Linux near Lindau. If this was you, there is nothing to do.
    Check it -> https://www.dropbox.com/account/security`,
  },
  {
    kind: 'newsletter',
    from: 'heise online <newsletter@heise.de>',
    subject: 'heise Morgenticker: Neues vom Linux-Kernel',
    headers: UNSUBSCRIBE('https://www.heise.de/newsletter/abmelden'),
    body: `Guten Morgen, das sind die Meldungen der Nacht.
    Zum Artikel -> https://www.heise.de/news/9981
    Impressum -> https://www.heise.de/impressum.html`,
  },
  {
    kind: 'newsletter',
    from: 'Weingut Sonnleitner <post@weingut-sonnleitner.at>',
    subject: 'Der neue Veltliner',
    returnPath: 'b@bounce.mlsend.com',
    headers: UNSUBSCRIBE('https://preview.mailerlite.io/u'),
    preview: 'Verkostung am Samstag',
    body: `Liebe Weinfreunde, der Jahrgang 2025 ist gefüllt.
    www.weingut-sonnleitner.at -> https://click.mlsend.com/link/c/YT0x
    Zur Verkostung anmelden -> https://click.mlsend.com/link/c/YT0y`,
  },
  {
    kind: 'newsletter',
    from: 'Max von Datenküche <max@datenkueche.io>',
    subject: 'Ausgabe 44: Kleine Modelle',
    returnPath: 'b@bounces.convertkit-mail2.com',
    replyTo: 'max@datenkueche.io',
    headers: UNSUBSCRIBE('https://unsubscribe.convertkit-mail2.com/x'),
    body: `Moin, diese Woche geht es um Quantisierung.
    Weiterlesen -> https://click.convertkit-mail2.com/d0/abc
    Auf LinkedIn teilen -> https://lnkd.in/eX2`,
  },
  {
    kind: 'newsletter',
    from: 'The New York Times <nytdirect@nytimes.com>',
    subject: 'The Morning: A long summer',
    headers: UNSUBSCRIBE('https://nl.nytimes.com/u'),
    body: `Good morning. We look at heat and cities.
    View in browser -> https://nl.nytimes.com/f/newsletter/abc`,
  },
  {
    kind: 'newsletter',
    from: 'Grünes Lindau <info@gruenes-lindau.org>',
    subject: 'Radentscheid: Unterschriften gezählt',
    returnPath: 'b@eu-cdn.brevo.com',
    headers: UNSUBSCRIBE('https://r.mailing.gruenes-lindau.org/u'),
    body: `2.311 Unterschriften sind gültig. Danke an alle, die gesammelt haben!
    Zum Bericht -> https://r.mailing.gruenes-lindau.org/mk/cl/f/abc`,
  },
  {
    kind: 'invoice',
    from: 'Telekom Deutschland GmbH {NoReply} <rechnungonline@telekom.de>',
    subject: 'Festnetz-Rechnung für August',
    body: `Guten Tag, Ihre aktuelle Rechnung beträgt 44,95 €. Sie finden sie im Anhang.
    Rechnung einsehen -> https://www.telekom.de/rechnung`,
    files: [pdf('Rechnung_2026_08.pdf')],
  },
  {
    kind: 'invoice',
    from: 'Lena Voss <lena@voss-uebersetzt.de>',
    subject: 'Honorarrechnung Übersetzung Handbuch',
    body: `Lieber Herr Falk, anbei meine Rechnung über 780 €. IBAN steht auf der Rechnung. Herzliche Grüße, Lena Voss, Tel. +49 151 5550 1234`,
    files: [
      pdf('Rechnung_17-2026.pdf'),
      { type: 'application/xml', content: '<?xml version="1.0"?><Invoice/>', filename: 'xrechnung.xml' },
    ],
    isPlain: true,
  },
  {
    kind: 'invoice',
    from: 'Adobe <mail@mail.adobe.com>',
    subject: 'Your Adobe invoice is available',
    body: `Invoice IEE20262291. Creative Cloud Photography, 11,89 €.
    Sign in to view -> https://account.adobe.com/orders`,
  },
  {
    kind: 'invoice',
    from: 'Stadtwerke Lindau <service@sw-lindau.de>',
    subject: 'Ihre Jahresabrechnung Strom',
    body: `Sehr geehrter Kunde, Ihr neuer Abschlag beträgt 61 € im Monat. Einzelheiten im Anhang.`,
    files: [pdf('Abrechnung.pdf'), LOGO],
  },
  {
    kind: 'invitation',
    from: 'Doodle <mailer@doodle.com>',
    subject: 'Petra invites you to "Probenwochenende"',
    replyTo: 'petra@chor-lindau.de',
    body: `Petra would like to know when you are free.
    Participate -> https://doodle.com/meeting/participate/id/e1`,
  },
  {
    kind: 'invitation',
    from: 'Zoom <no-reply@zoom.us>',
    subject: 'Elternabend 5b - Registration confirmed',
    body: `Hello Bernd, thank you for registering. You can cancel at any time.
    Join Zoom Meeting -> https://us02web.zoom.us/w/881?tk=a`,
  },
  {
    kind: 'invitation',
    from: 'Katrin Mohr <k.mohr@uni-konstanz.de>',
    subject: 'Einladung zur Disputation',
    body: `Liebe Kolleginnen und Kollegen, ich verteidige am 3. September um 14 Uhr in A 704. Danach gibt es Kuchen. Zoom für Gäste: https://uni-konstanz-de.zoom.us/j/991`,
    isPlain: true,
  },
  {
    kind: 'invitation',
    from: 'LinkedIn <invitations@linkedin.com>',
    subject: 'Petra Lang wants to connect',
    body: `Hi Bernd, I would like to join your professional network.
    Accept -> https://www.linkedin.com/comm/mynetwork/invite-accept/1`,
  },
];
