// Command quarry shows and runs worlds of the quarry engine.
//
//	quarry                      the sandbox, in a browser, on 127.0.0.1:8080
//	quarry site --out DIR       the sandbox as static files, for any web server: it runs in the browser
//	quarry serve                worlds by name, each kept with all that players did
//	quarry verify WORLD         the log of such a world, replayed and compared
//	quarry token WORLD          a token that gives a role in such a world
//	quarry load                 inputs to the worlds of a cluster, to measure it
//	quarry run FILE_OR_SCENE    a scene, map or world file without a browser, with figures and pictures
//	quarry import MAP           a world file of a map file, for run --save
//	quarry export FILE          a Tiled map of a world file's ground
//	quarry inspect FILE         the contents of a world file, and all that is damaged in it
//	quarry replay FILE          a recording of run --record, checked step by step
//	quarry list                 the scenes
//	quarry bench [NAME ...]     times and memory of the ground, and of the steps of scenes
//	quarry hash FILE_OR_SCENE   the hash of a world's state after some steps
//	quarry licences             the licences of the modules in the program
//	quarry --version            the version, the commit and the compiler
//
// The js/wasm build has no sandbox.
package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/quarry2d/quarry"
)

// commands defines the command line: each field is a command, its tags are the help.
type commands struct {
	Version kong.VersionFlag `help:"Print the version, the commit and the compiler, and exit."`

	Sandbox  sandboxCommand  `cmd:"" default:"withargs" help:"Serve a world to play with in a browser (the default)."`
	Site     siteCommand     `cmd:"" help:"Write the sandbox as static files that run in the browser, without a server."`
	Gallery  galleryCommand  `cmd:"" help:"Write a picture of each scene, as the sandbox's gallery shows them."`
	Serve    serveCommand    `cmd:"" help:"Serve worlds by name, in which nothing that was acknowledged is lost."`
	Verify   verifyCommand   `cmd:"" help:"Replay the log of a world of serve, and compare its hashes."`
	Token    tokenCommand    `cmd:"" help:"Make a token: a link with it gives a role in a world of serve --keys."`
	Load     loadCommand     `cmd:"" help:"Give inputs to the worlds of a cluster of serve --nats, and measure the answers."`
	Run      runCommand      `cmd:"" help:"Run a scene, a map file or a world file without a browser; print figures, make pictures."`
	Bench    benchCommand    `cmd:"" help:"Measure the building and editing of ground, and the steps of scenes."`
	Import   importCommand   `cmd:"" help:"Make a world file of a map file."`
	Export   exportCommand   `cmd:"" help:"Make a Tiled map of a ground of a world file."`
	Inspect  inspectCommand  `cmd:"" help:"Print the contents of a world file, and check every byte that is in use."`
	Replay   replayCommand   `cmd:"" help:"Make the calls of a recording again; name the first step that differs."`
	List     listCommand     `cmd:"" help:"List the scenes."`
	Hash     hashCommand     `cmd:"" help:"Run a scene or a map file and print, alone on the last line, the hash of its state."`
	Licences licencesCommand `cmd:"" help:"Print the licences of the modules in the program."`
}

// streams are the outputs of a command: its results, and messages.
type streams struct{ out, err io.Writer }

func main() { os.Exit(execute(os.Args[1:], streams{os.Stdout, os.Stderr})) }

// execute runs one command line and returns the exit status: 0, 1 for a failure, 2 for
// an invalid command line, 130 when a signal ended it.
func execute(args []string, s streams) (status int) {
	type exit int
	defer func() { // kong calls Exit after printing help
		if r := recover(); r != nil {
			code, ok := r.(exit)
			if !ok {
				panic(r)
			}
			status = int(code)
		}
	}()
	parser := kong.Must(&commands{},
		kong.Name("quarry"),
		kong.Description("2D rigid-body physics for worlds that players dig and build."),
		kong.Vars{"version": version(), "layers": strings.ReplaceAll(quarry.DrawAll.String(), ",", ", ")},
		kong.Writers(s.out, s.err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Bind(s),
		kong.WithHyphenPrefixedParameters(true), // --steps -3: our error names the limits
	)
	ctx, err := parser.Parse(args)
	if err != nil {
		parser.Errorf("%s; see quarry --help", err)
		return 2
	}
	if flag := emptyFlag(ctx); flag != "" {
		parser.Errorf("--%s: a value is missing; see quarry --help", flag)
		return 2
	}
	if err := ctx.Run(); err != nil {
		parser.Errorf("%s", err)
		if errors.Is(err, errInterrupted) {
			return 130
		}
		return 1
	}
	return 0
}

// emptyFlag returns the name of a flag without its value, or "". With parameters that may begin with a hyphen, kong
// takes a flag at the end of the line as one with an empty value: "run valley --out" would make no picture, and
// "sandbox --addr" would serve the network.
func emptyFlag(ctx *kong.Context) string {
	for _, p := range ctx.Path {
		if p.Flag != nil && ctx.FlagValue(p.Flag) == "" {
			return p.Flag.Name
		}
	}
	return ""
}
