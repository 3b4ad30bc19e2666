package scene

import "slices"

// Group is a part of a gallery of scenes.
type Group struct {
	Name   string
	Scenes []string // names, in the order in which a player may like to see them
}

// groups has each scene of the registry once.
var groups = []Group{
	{"Play", []string{
		"outpost", "valley", "ship", "asteroid", "car", "teeter", "card_house", "dominoes", "arch", "ragdolls",
		"rain", "parcours", "raft", "islands",
	}},
	{"Living ground", []string{
		"undermined_tower", "felled_tree", "craters", "dig_under_load", "block_into_body",
		"walk",
	}},
	{"Machines and joints", []string{
		"chain_drive", "pistons", "conveyor", "bridge", "pendulum", "multi_pendulum", "soft_ring", "tumbler", "spinner",
		"washer", "joint_grid",
	}},
	{"Proofs", []string{
		"seam_run", "ground_ghost", "cliff", "junctions", "radial_match", "peaks", "wedges", "stairs", "chains",
		"layers", "one_way",
		"pre_solve", "friction", "far_away",
	}},
	{"Load", []string{
		"single_box", "stack", "pyramid", "large_pyramid", "many_pyramids", "smash", "junkyard", "compounds",
		"tiles_flat", "tiles_bumpy",
	}},
}

// Groups returns the groups of a gallery, each scene of All in one of them.
func Groups() []Group {
	list := slices.Clone(groups)
	for i := range list {
		list[i].Scenes = slices.Clone(list[i].Scenes)
	}
	return list
}
