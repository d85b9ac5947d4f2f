/** Events as sentences and as changes to cards. */

import type { CatanEvent as Event } from "../../generated/protocol";
import { isResource, RESOURCES, type Cards, type Resource } from "./words";
import type { CatanTexts } from "./texts";

/** The changes that the events report to a player's cards. */
export function changes(events: readonly Event[], side: number): Partial<Record<Resource, number>> {
  const sum: Partial<Record<Resource, number>> = {};
  const add = (kind: string, n: number) => {
    if (isResource(kind)) sum[kind] = (sum[kind] ?? 0) + n;
  };
  for (const event of events) {
    switch (event.type) {
      case "RESOURCES_PRODUCED":
      case "RESOURCES_TAKEN":
        if (event.player_id === side) for (const kind of RESOURCES) add(kind, event.resources[kind]);
        break;
      case "CARD_DISCARDED":
        if (event.player_id === side) add(event.resource, -1);
        break;
      case "RESOURCE_STOLEN":
        add(event.resource, event.player_id === side ? 1 : -1);
        break;
      case "RESOURCES_MONOPOLIZED":
        add(event.resource, event.player_id === side ? event.n_cards : -event.n_cards);
        break;
      case "BANK_TRADED":
        if (event.player_id === side) {
          add(event.give, -event.n_given);
          add(event.receive, 1);
        }
        break;
    }
  }
  return sum;
}

export function cardList(cards: Readonly<Cards>, t: CatanTexts): string {
  return RESOURCES.filter((it) => cards[it] > 0)
    .map((it) => `${cards[it]} ${t.resource[it].toLowerCase()}`)
    .join(", ");
}

/** An event as a sentence, or null for events that need none. */
export function sentence(event: Event, names: readonly string[], t: CatanTexts): string | null {
  const who = (side: number) => names[side] ?? "";
  const kind = (name: string) => (isResource(name) ? t.resource[name].toLowerCase() : name);
  const list = (cards: Cards) => cardList(cards, t);
  switch (event.type) {
    case "DICE_ROLLED":
      return t.told.rolls(who(event.player_id), (event.dice[0] ?? 0) + (event.dice[1] ?? 0));
    case "RESOURCES_PRODUCED":
    case "RESOURCES_TAKEN": {
      const got = list(event.resources);
      return got === "" ? null : t.told.gets(who(event.player_id), got);
    }
    case "BANK_SHORT":
      return t.told.short(kind(event.resource));
    case "CARD_DISCARDED":
      return t.told.discards(who(event.player_id), kind(event.resource));
    case "ROBBER_MOVED":
      return t.told.robber(who(event.player_id));
    case "RESOURCE_STOLEN":
      return t.told.steals(who(event.player_id), kind(event.resource), who(1 - event.player_id));
    case "ROAD_PLACED":
      return t.told.road(who(event.player_id));
    case "SETTLEMENT_PLACED":
      return t.told.settlement(who(event.player_id));
    case "CITY_PLACED":
      return t.told.city(who(event.player_id));
    case "LONGEST_ROAD_CHANGED":
      return typeof event.owner === "number" ? t.told.longestRoad(who(event.owner)) : t.told.noLongestRoad;
    case "LARGEST_ARMY_CHANGED":
      return t.told.largestArmy(who(event.owner));
    case "DEVELOPMENT_BOUGHT":
      return t.told.buys(who(event.player_id), event.card ? t.dev(event.card).name : null);
    case "DEVELOPMENT_PLAYED":
      return t.told.plays(who(event.player_id), t.dev(event.card).name);
    case "RESOURCES_MONOPOLIZED":
      return t.told.monopoly(who(event.player_id), event.n_cards, kind(event.resource));
    case "BANK_TRADED":
      return t.told.trades(who(event.player_id), `${event.n_given} ${kind(event.give)}`, kind(event.receive));
    case "TRADE_OFFERED":
      return t.told.offers(who(event.player_id), list(event.offer), list(event.request));
    case "TRADE_ACCEPTED":
      return t.told.accepts(who(event.player_id));
    case "TRADE_DECLINED":
      return t.told.declines(who(event.player_id));
    case "TURN_ENDED":
      return t.told.ends(who(event.player_id));
    case "PLAYER_LEFT":
      return t.told.leaves(who(event.player_id));
    case "GAME_TRUNCATED":
      return t.told.truncated;
    case "GAME_ENDED":
      return t.told.over;
    default:
      return null;
  }
}
