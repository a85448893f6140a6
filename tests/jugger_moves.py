"""The moves in the ledger of a battle: velocities, turns, hexes, collisions, rams."""

from simkit.core.hexgrid import arc_of, distance
from simkit.games.jugger.happenings import Happening, What, where
from simkit.games.jugger.records import OPAQUE, OUTSIDE, MapEdge, PieceKind, Policy
from tests.jugger_ledger import Jug, Ledger

KINDS_OF_RAM = {0: 0, 3: 2}


class Moves(Ledger):
    """The ledger with moves and what they run into."""

    # Moves

    def on_move(self, event: Happening) -> None:
        """Velocity changes by no more than the rates, and stays at 5 on legs where it can (J-ACC-2, J-ACC-5)."""
        jug, (faster, slower, _) = self.jugs[event.jug], self.rates(self.jugs[event.jug])
        assert jug.side == self.segment[0] and self.segment[1] in (-1, event.jug)
        assert event.extra == jug.velocity, "a velocity out of nothing"
        least = max(0, jug.velocity - slower)
        most = jug.velocity + faster
        if jug.built.legged:
            most = min(most, int(self.rules.legs_top_velocity))
        held = self.partners(event.jug)
        if held:
            assert len(held) == 1 and jug.size > self.jugs[min(held)].size
            most = min(most, int(self.rules.drag_top_velocity))
        if self.policies[jug.side] == Policy.HOLD:
            least = most = 0
        assert least <= event.value <= max(least, most)
        jug.moves += 1
        assert jug.moves == 1
        self.mover, self.moved, self.turned, self.stopped, self.at_start = event.jug, 0, 0, False, False
        jug.velocity = event.value

    def on_turn_to(self, event: Happening) -> None:
        """Turn by a sixth, no more often than the rate allows (J-ACC-1, J-ACC-3)."""
        jug = self.jugs[event.jug]
        assert event.jug == self.mover and not self.stopped and not self.partners(event.jug)
        assert self.turned < self.rates(jug)[2] and (self.rules.turn_in_place or jug.velocity > 0)
        assert abs(event.roll) == 1 and event.value == (jug.facing + event.roll) % 6
        self.turned += 1
        jug.facing = event.value

    def on_enter(self, event: Happening) -> None:
        """Go one hex forward; terrain and wreckage take velocity (J-TER-2)."""
        jug = self.jugs[event.jug]
        assert event.jug == self.mover and not self.stopped and self.moved < jug.velocity
        ahead = self.step(jug.hex, jug.facing)
        if self.cell(ahead) == OUTSIDE:
            assert self.rules.map_edge == MapEdge.WRAP
            ahead = -jug.q, -jug.r
        self.left = jug.hex
        self.put(jug, event.value, ahead)
        self.moved += 1
        loss = self.cell(ahead) % OPAQUE
        if self.last.what != What.DRIVE_THROUGH and ahead in self.wrecks:
            loss += int(self.rules.wreckage_loss)
        jug.velocity = max(0, jug.velocity - loss)
        assert event.extra == jug.velocity

    def on_move_to(self, event: Happening) -> None:
        """Be dragged, or go aside."""
        jug, hex = self.jugs[event.jug], where(event.value)
        aside = self.last.what == What.DODGE and self.last.value == 1
        assert distance(hex[0] - jug.q, hex[1] - jug.r) == 1 or hex == self.left
        assert aside or event.jug in self.partners(self.mover)
        self.put(jug, event.value, hex)

    def on_stop(self, event: Happening) -> None:
        """Stop before legs, a friend, or with what is dragged (J-RAM-7, J-RAM-8)."""
        jug = self.jugs[event.jug]
        assert event.jug == self.mover and where(event.value) == jug.hex
        assert event.foe < 0 or jug.built.legged or self.jugs[event.foe].side == jug.side
        jug.velocity, self.stopped = 0, True

    def on_collide(self, event: Happening) -> None:
        """Hit something hard; a stone wall takes the same damage (J-COL-1, J-COL-2)."""
        jug = self.jugs[event.jug]
        forced = event.jug == self.contact.get("target")
        speed = self.contact["left"] if forced else jug.velocity
        size = jug.size if self.rules.collision_size else 0
        assert event.value == (event.roll + size) * min(speed, int(self.rules.damage_velocity_cap))
        if event.extra >= 0:
            self.walls[event.extra] -= event.value
        side = self.jugs[self.contact["rammer"]].side if forced else jug.side
        self.book(event.jug, -1, -2, event.value, "ram" if forced else "collision", side)
        if not forced:
            assert event.jug == self.mover and not self.stopped
            jug.velocity, self.stopped = 0, True

    def on_wall_hits(self, event: Happening) -> None:
        """Roll for a wall."""
        self.walls[event.extra] = event.value

    def on_wall_down(self, event: Happening) -> None:
        """Fall."""
        assert self.walls[event.extra] <= 0

    # Rams

    def on_ram(self, event: Happening) -> None:
        """Ram an enemy ahead: dice, bonus and size times the velocity that counts (J-RAM-1 to 3)."""
        jug, foe = self.jugs[event.jug], self.jugs[event.foe]
        assert event.jug == self.mover and not self.stopped and not jug.built.legged
        assert not foe.fate and foe.side != jug.side and foe.hex == self.step(jug.hex, jug.facing)
        kind = KINDS_OF_RAM.get(arc_of(foe.facing, jug.q - foe.q, jug.r - foe.r), 1)
        counts = max(0, jug.velocity - foe.velocity) if kind == 2 else jug.velocity
        assert event.extra == kind and event.value == self.ram_damage(jug, event.roll, counts)
        self.contact = {"rammer": event.jug, "target": event.foe, "kind": kind, "velocity": jug.velocity, "left": 0}
        self.stopped = True
        self.tally[jug.side, "rams"] += 1
        self.book(event.foe, event.jug, -1, event.value, "ram", jug.side)

    def ram_damage(self, jug: Jug, roll: int, counts: int) -> int:
        """Return what a ram does."""
        bonus = int(self.rules.ram_bonus) * jug.count(PieceKind.RAM)
        return (roll + bonus + jug.size) * min(counts, int(self.rules.damage_velocity_cap))

    def on_ram_back(self, event: Happening) -> None:
        """Meet a ram head-on (J-RAM-4)."""
        jug = self.jugs[event.jug]
        assert (event.jug, event.foe) == (self.contact["target"], self.contact["rammer"])
        assert self.contact["kind"] == 0 and not jug.built.legged
        assert event.value == self.ram_damage(jug, event.roll, jug.velocity)
        self.contact["both"] = True
        self.book(event.foe, event.jug, -1, event.value, "ram", jug.side)

    def resolve(self) -> None:
        """Take velocity from those who met and did not drive on (J-RAM-2 to 4, J-RAM-13)."""
        contact = self.contact
        if not contact or "driven" in contact:
            return
        rammer, target = self.jugs[contact["rammer"]], self.jugs[contact["target"]]
        if contact.get("both"):
            assert bool(rammer.fate) == bool(target.fate), "nobody drove on"
        elif self.rules.side_kill_drives_through:
            assert not target.fate or "forced" in contact, "nobody drove on"
        rear = contact["kind"] == 2 and not contact.get("both")
        rammer.velocity = self.moved if rear else 0
        if not rear:
            target.velocity = 0

    def on_drive_through(self, event: Happening) -> None:
        """Go on over a wreck, slower (J-RAM-10)."""
        jug, contact = self.jugs[event.jug], self.contact
        fallen = contact["target"] if event.jug == contact["rammer"] else contact["rammer"]
        assert self.jugs[fallen].fate and not jug.fate
        assert event.value == max(0, jug.velocity - int(self.rules.drive_through_loss))
        jug.velocity = event.value
        contact["driven"] = True
        if event.jug == self.mover:
            self.stopped = self.moved >= jug.velocity

    def forced(self, event: Happening, hexes: int) -> None:
        """Move a rammed jug as far as the way is free (J-RAM-6, J-RAM-11)."""
        jug, facing = self.jugs[event.jug], self.jugs[self.contact["rammer"]].facing
        assert event.jug == self.contact["target"] and not jug.fate and event.value <= hexes
        self.contact |= {"forced": True, "left": hexes - event.value, "gone": event.value}
        ahead = [self.step(jug.hex, facing, k) for k in range(event.value + 2)]
        free = [self.cell(hex) >= 0 and not self.here(hex) for hex in ahead]
        leaves = event.value > 0 and where(event.extra) == ahead[event.value - 1]
        if leaves:
            assert self.rules.map_edge == MapEdge.EXIT and self.cell(ahead[event.value]) == OUTSIDE
        else:
            assert where(event.extra) == ahead[event.value]
            assert event.value == hexes or not free[event.value + 1]
        assert all(free[1 : event.value + (0 if leaves else 1)])
        jug.q, jug.r = where(event.extra)

    def on_push(self, event: Happening) -> None:
        """Push by the rest of the move, less the target's size (J-RAM-12)."""
        hexes = self.contact["velocity"] - self.moved - self.jugs[event.jug].size
        assert hexes > 0 and self.contact["kind"] != 2
        self.forced(event, hexes)

    def on_bounce(self, event: Happening) -> None:
        """Bounce forward (J-RAM-13)."""
        assert self.contact["kind"] == 2
        self.forced(event, event.roll)

    def on_follow(self, event: Happening) -> None:
        """Follow what was pushed."""
        jug = self.jugs[event.jug]
        assert event.jug == self.contact["rammer"] and event.value == self.contact["gone"] > 0
        self.put(jug, event.extra, self.step(jug.hex, jug.facing, event.value))
