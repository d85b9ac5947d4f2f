/** The view and the events of every game whose rules describe their own picture, as the server has them. */

import type { Message, Picture, PicturePart } from "../../generated/protocol";

export type { Choice, Picture, PictureCard as Card, PicturePart as Part } from "../../generated/protocol";

/** The part of a view that does not depend on the game. */
export type Seen = Omit<Extract<Views, { picture: Picture }>, "state">;

/** An event of such a game. */
export type Event = EventOf<News>;

export type CardsPart = Extract<PicturePart, { type: "cards" }>;
export type GridPart = Extract<PicturePart, { type: "grid" }>;
export type GraphPart = Extract<PicturePart, { type: "graph" }>;
export type Tone = CardsPart["cards"][number]["tone"];

type Views = Extract<Message, { type: "standing" }>["view"];
type News = Extract<Message, { type: "news" }>["events"];

/** The events of the games in which rules write sentences. */
type EventOf<Events> = Events extends (infer One extends { type: string })[]
  ? "SAID" extends One["type"]
    ? One
    : never
  : never;
